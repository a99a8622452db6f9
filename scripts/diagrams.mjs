// `npm run diagrams [-- --check]`: draws backend/docs/module-map.md and backend/docs/schema.md from the sources;
// --check compares only.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagrams } from './lib/diagrams.mjs';
import { readText } from './lib/files.mjs';
import { ROOT } from './lib/paths.mjs';
import { main, CliError, say } from './lib/say.mjs';

await main(() => {
  const drawn = Object.entries(diagrams(ROOT));
  const stale = drawn.filter(([path, text]) => readText(join(ROOT, path)) !== text).map(([path]) => path);
  if (stale.length === 0) return say('The module map and the schema picture are up to date.');
  if (process.argv.includes('--check'))
    throw new CliError(`Out of date: ${stale.join(' and ')}. \`npm run diagrams\` draws them anew.`);
  for (const [path, text] of drawn) writeFileSync(join(ROOT, path), text);
  say(`Drawn: ${stale.join(', ')}.`);
});
