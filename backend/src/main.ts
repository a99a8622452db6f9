import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { withoutRollCall } from './shared/logging/start-logger.js';
import { AppModule } from './app.module.js';
import { configureHttp } from './shared/http/configure-http.js';
import { settingsOrExit } from './start-settings.js';
import { startWorker } from './worker.js';

/** Web app and API on one port; ROLE=all works the queues too, ROLE=worker only that. */
async function main(): Promise<void> {
  const settings = settingsOrExit();
  if (settings.role === 'worker') return startWorker(settings);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings), { bufferLogs: true, bodyParser: false });
  app.useLogger(withoutRollCall(app.get(Logger)));
  configureHttp(app, settings);
  app.enableShutdownHooks();
  await app.listen(settings.port);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
