// `npm run services`, on the bundled Node.
import { withBin } from '../lib/run.mjs';
import { complain, say } from '../lib/say.mjs';
import { stopRequested } from '../../backend/embedded/processes/signals.ts';
import { startProcess } from '../../backend/embedded/processes/managed-process.ts';
import { withServices } from './services.mjs';

const ended = stopRequested().then(() => 'ended');
const [command, ...args] = process.argv.slice(2);

try {
  process.exitCode = await withServices({ needed: true, ended }, async (run, env) => {
    if (command === undefined) {
      say(
        `export TEST_DATABASE_URL=${env.TEST_DATABASE_URL}\nexport TEST_REDIS_URL=${env.TEST_REDIS_URL}\nCtrl-C stops both.`,
      );
      return await new Promise(() => {});
    }
    const part = startProcess(run.context, { name: 'command', command, args, passThrough: true, env: withBin(env) });
    return (await part.exited).code ?? 1;
  });
} catch (error) {
  complain(error);
  process.exitCode = 1;
}
process.exit();
