// `npm start` and, with --dev, `npm run dev`, second stage: brings up what no setting replaces, then the app, and takes all of it down again.
import { ROOT } from '../../scripts/lib/paths.mjs';
import { complain, Refusal, say } from '../../scripts/lib/say.mjs';
import { appEnv, appReady, isPageless, startApp } from './app.ts';
import { claimDataDir, removeRunFile, shareDataDir, writeRunFile, type Claim } from './data-dir.ts';
import { startDev } from './dev.ts';
import { onEnd } from './ending.ts';
import { isPortFree } from './ports.ts';
import { refuse } from './refusal.ts';
import { Run } from './run.ts';
import { startServices } from './services.ts';
import { readSettings, type Settings } from './settings.ts';

const settings = readSettings(ROOT, process.env);
if (settings.problems.length > 0) process.exit(await refuse(settings));

let claim: Claim | undefined;
let run: Run | undefined;
const ended = onEnd();
try {
  const failure = await Promise.race([ended, up()]);
  if (failure) complain(new Refusal(failure));
  await down(failure ? 1 : 0);
} catch (error) {
  if (!run?.stopping) complain(error);
  await down(1);
}

/** Starts everything; resolves only when a part crashes. */
async function up(): Promise<string | undefined> {
  claim = settings.embedded.length > 0 ? await claimDataDir(settings.dataDir, say) : shareDataDir(settings.dataDir);
  await checkPort();
  run = new Run(claim);
  if (settings.embedded.length > 0) say(`Starting ${settings.embedded.join(', ')} …`);
  const addresses = await startServices(run, settings, say);
  const envOf = (reached: Settings) => appEnv(reached, addresses);
  const { app, inner } = process.argv.includes('--dev')
    ? await startDev(run, settings, envOf)
    : { app: startApp(run.around, settings, envOf(settings)), inner: settings };
  const first = await Promise.race([appReady(app, inner), run.crashed]);
  if (first) return first;
  run.guard(app);
  const mailboxUrl = settings.embedded.includes('mailbox') ? `http://localhost:${settings.mailboxPort}` : undefined;
  if (settings.embedded.length > 0) writeRunFile(settings.dataDir, { ...addresses, stripe: undefined, url: settings.appUrl, mailboxUrl });
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
  if (isPageless(settings) || await isPortFree(settings.port)) return;
  throw new Refusal(`Port ${settings.port} is taken by another program. Free it, or set PORT to another port.`);
}

function addressLines({ appUrl }: Settings, mailboxUrl: string | undefined): string {
  return ['', `  Staffcast  ${appUrl}`, `  API docs   ${appUrl}/api/docs`, ...(mailboxUrl ? [`  Mailbox    ${mailboxUrl}`] : [])].join('\n');
}
