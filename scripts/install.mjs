// `npm run setup`: installs what is missing and nothing else.
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';

await main(ensureInstalled);
