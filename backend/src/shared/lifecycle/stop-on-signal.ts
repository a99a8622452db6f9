import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import type { Settings } from '../config/settings.js';
import { Lifecycle } from './lifecycle.js';

/**
 * Ends the process in order when it is asked to (guide/reliability-security.md §1.2): it says that it is not ready, gives
 * the load balancer time to notice, then lets what is under way finish. A second signal changes nothing.
 */
export function stopOnSignal(app: INestApplicationContext, settings: Settings, close: () => Promise<void> = () => app.close()): void {
  const stop = async (): Promise<void> => {
    const lifecycle = app.get(Lifecycle, { strict: false });
    if (lifecycle.stopping) return;
    setTimeout(() => process.exit(1), settings.graceSeconds * 1000).unref();
    lifecycle.stop();
    if (settings.runsWeb) await pause(settings.drainSeconds * 1000);
    await close().then(() => process.exit(0), (error: unknown) => {
      console.error(error);
      process.exit(1);
    });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}
