// Supervisor of `npm start` and, with --dev, `npm run dev`: starts the embedded parts and the app, and stops them at
// the end.
import { ROOT } from '../../scripts/lib/paths.mjs';
import { complain, CliError, say } from '../../scripts/lib/say.mjs';
import { appEnv, appReady, servesNoPages, startApp } from './app.ts';
import { claimDataDir, removeRunFile, shareDataDir, writeRunFile, type DataDirLock } from './data-dir.ts';
import { startDev } from './dev.ts';
import { stopRequested } from './processes/signals.ts';
import { isPortFree } from './processes/ports.ts';
import { reportInvalidSettings } from './invalid-settings.ts';
import { Run } from './processes/run.ts';
import { startServices } from './services.ts';
import { readSettings, type Settings } from './settings.ts';

const settings = readSettings(ROOT, process.env);
if (settings.problems.length > 0) process.exit(await reportInvalidSettings(settings));

let claim: DataDirLock | undefined;
let run: Run | undefined;
const ended = stopRequested();
try {
  const failure = await Promise.race([ended, up()]);
  if (failure) complain(new CliError(failure));
  await down(failure ? 1 : 0);
} catch (error) {
  if (!run?.stopping) complain(error);
  await down(1);
}

/**
 * Starts everything.
 * @returns a promise that resolves with a message when a part fails for good
 */
async function up(): Promise<string | undefined> {
  claim = settings.embedded.length > 0 ? await claimDataDir(settings.dataDir, say) : shareDataDir(settings.dataDir);
  await checkPort();
  run = new Run(claim);
  if (settings.embedded.length > 0) say(`Starting ${settings.embedded.join(', ')} …`);
  const addresses = await startServices(run, settings, say);
  const envOf = (reached: Settings) => appEnv(reached, addresses);
  const { app, inner } = process.argv.includes('--dev')
    ? await startDev(run, settings, envOf)
    : { app: startApp(run.context, settings, envOf(settings)), inner: settings };
  const first = await Promise.race([appReady(app, inner), run.crashed]);
  if (first) return first;
  run.guard(app);
  const mailboxUrl = settings.embedded.includes('mailbox') ? `http://localhost:${settings.mailboxPort}` : undefined;
  if (settings.embedded.length > 0)
    writeRunFile(settings.dataDir, { ...addresses, stripe: undefined, url: settings.appUrl, mailboxUrl });
  say(addressLines(settings, mailboxUrl));
  return run.crashed;
}

async function down(code: number): Promise<void> {
  if (run) {
    if (code === 0) say('\nStopping …');
    await run.stop();
    if (settings.embedded.length > 0) removeRunFile(settings.dataDir);
  }
  claim?.release();
  process.exit(code);
}

async function checkPort(): Promise<void> {
  if (servesNoPages(settings) || (await isPortFree(settings.port))) return;
  throw new CliError(`Port ${settings.port} is taken by another program. Free it, or set PORT to another port.`);
}

function addressLines({ appUrl }: Settings, mailboxUrl: string | undefined): string {
  return [
    '',
    `  Staffcast  ${appUrl}`,
    `  API docs   ${appUrl}/api/docs`,
    ...(mailboxUrl ? [`  Mailbox    ${mailboxUrl}`] : []),
  ].join('\n');
}
