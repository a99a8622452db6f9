import { settingsOrExit } from './start-settings.js';

/** Web app and API on one port; ROLE=all works the queues too, ROLE=worker only that, ROLE=bounces takes mail to BOUNCE_DOMAIN alone. Tracing is loaded first: it wraps what is loaded after it. */
async function main(): Promise<void> {
  const settings = settingsOrExit();
  if (settings.tracesUrl) (await import('./shared/tracing/tracing.js')).startTracing(settings);
  if (!settings.runsWeb) await (await import('./worker.js')).startWorker(settings);
  else await (await import('./web.js')).startWeb(settings);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
