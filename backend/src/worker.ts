import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import type { Settings } from './shared/config/settings.js';
import { openWorkerPort } from './shared/health/worker-port.js';
import { lowerPriority } from './shared/lifecycle/lower-priority.js';
import { stopOnSignal } from './shared/lifecycle/lifecycle.js';
import { withoutModuleLines } from './shared/logging/log-lines.js';

/** Starts queues and schedules. Opens no port, except for WORKER_PORT with health and metrics. */
export async function startWorker(settings: Settings): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule.with(settings), { bufferLogs: true });
  app.useLogger(withoutModuleLines(app.get(Logger)));
  lowerPriority();
  const closePort = await openWorkerPort(app, settings);
  stopOnSignal(app, settings, async () => {
    await app.close();
    closePort();
  });
}
