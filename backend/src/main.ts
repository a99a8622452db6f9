import { settingsOrExit } from './start-settings.js';

/**
 * Entry point. ROLE=web serves the web app and the API on one port, ROLE=worker runs queues and schedules, ROLE=all
 * does both, and ROLE=bounces only receives mail for BOUNCE_DOMAIN. Starts tracing first, because tracing can
 * instrument only modules that are loaded after it.
 */
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
