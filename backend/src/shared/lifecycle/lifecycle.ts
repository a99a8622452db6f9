import { Global, Injectable, Module, type INestApplicationContext } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config/settings.js';

/** Knows whether this process is stopping: from the stop signal on, before anything is shut down. */
@Injectable()
export class Lifecycle {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stopping(): boolean {
    return this.signal.aborted;
  }

  stop(): void {
    this.controller.abort();
  }
}

@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}

/**
 * Shuts the process down on SIGTERM or SIGINT: reports not ready, waits until the load balancer notices, and then lets
 * work in progress finish. Ignores further signals.
 */
export function stopOnSignal(
  app: INestApplicationContext,
  settings: Settings,
  close: () => Promise<void> = () => app.close(),
): void {
  const stop = async (): Promise<void> => {
    const lifecycle = app.get(Lifecycle, { strict: false });
    if (lifecycle.stopping) return;
    setTimeout(() => process.exit(1), settings.graceSeconds * 1000).unref();
    lifecycle.stop();
    if (settings.runsWeb) await pause(settings.drainSeconds * 1000);
    await close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());
}
