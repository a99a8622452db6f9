import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import type { Settings } from './shared/config/settings.js';
import { openWorkerPort } from './shared/health/worker-port.js';
import { giveWay } from './shared/lifecycle/give-way.js';
import { stopOnSignal } from './shared/lifecycle/stop-on-signal.js';
import { withoutRollCall } from './shared/logging/start-logger.js';

/** Queues and schedules; no port but WORKER_PORT, for health and metrics. */
export async function startWorker(settings: Settings): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule.with(settings), { bufferLogs: true });
  app.useLogger(withoutRollCall(app.get(Logger)));
  giveWay();
  const closePort = await openWorkerPort(app, settings);
  stopOnSignal(app, settings, async () => {
    await app.close();
    closePort();
  });
}
