import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Logger } from 'nestjs-pino';
import { withoutRollCall } from './shared/logging/start-logger.js';
import { AppModule } from './app.module.js';
import type { Settings } from './shared/config/settings.js';

/** Queues and schedules without a port. */
export async function startWorker(settings: Settings): Promise<void> {
  const app = await NestFactory.createApplicationContext(AppModule.with(settings), { bufferLogs: true });
  app.useLogger(withoutRollCall(app.get(Logger)));
  app.enableShutdownHooks();
}
