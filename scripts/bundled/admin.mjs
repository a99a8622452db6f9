// `npm run admin`, on the bundled Node: finds or starts the database, then runs the app's command line.
import { join } from 'node:path';
import { ROOT } from '../lib/paths.mjs';
import { complain, say } from '../lib/say.mjs';
import { appEnv } from '../../backend/embedded/app.ts';
import { claimDataDir, readRunFile, shareDataDir } from '../../backend/embedded/data-dir.ts';
import { stopRequested } from '../../backend/embedded/processes/signals.ts';
import { startProcess } from '../../backend/embedded/processes/managed-process.ts';
import { Run } from '../../backend/embedded/processes/run.ts';
import { startServices } from '../../backend/embedded/services.ts';
import { readSettings } from '../../backend/embedded/settings.ts';

const COMMANDS_WITHOUT_DATABASE = [undefined, 'dns', 'help', '--help'];

const args = process.argv.slice(2);
const settings = readSettings(ROOT, process.env);
const running = readRunFile(settings.dataDir);
const needsDatabase =
  !settings.given.postgres && !running && !settings.production && !COMMANDS_WITHOUT_DATABASE.includes(args[0]);
let claim;
let run;
try {
  claim = needsDatabase ? await claimDataDir(settings.dataDir, say) : shareDataDir(settings.dataDir);
  run = new Run(claim);
  process.exitCode = await Promise.race([stopRequested().then(() => 130), command()]);
} catch (error) {
  complain(error);
  process.exitCode = 1;
} finally {
  await run?.stop();
  claim?.release();
}
process.exit();

async function command() {
  const addresses = await findAddresses();
  const cli = join(ROOT, 'backend', 'dist', 'src', 'cli', 'admin.js');
  const part = startProcess(run.context, {
    name: 'admin',
    command: process.execPath,
    args: ['--enable-source-maps', cli, ...args],
    passThrough: true,
    cwd: ROOT,
    env: appEnv({ ...settings, embedded: settings.production ? [] : settings.embedded }, addresses),
  });
  return (await part.exited).code ?? 1;
}

/**
 * Uses the given settings first, then the database of the running stack, otherwise a temporary database for this
 * command.
 */
async function findAddresses() {
  const { postgres, redis, mailbox } = settings.given;
  if (needsDatabase) return startServices(run, { ...settings, embedded: ['postgres'] }, say);
  return {
    databaseUrl: postgres ?? running?.databaseUrl,
    redisUrl: redis ?? running?.redisUrl,
    smtpUrl: mailbox ?? running?.smtpUrl,
  };
}
