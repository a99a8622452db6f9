import 'reflect-metadata';
import { MikroORM } from '@mikro-orm/postgresql';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Logger } from 'nestjs-pino';
import { AppModule } from './app.module.js';
import type { Settings } from './shared/config/settings.js';
import { openConnections } from './shared/database/pool.js';
import { configureHttp } from './shared/http/configure-http.js';
import { listen } from './shared/http/listen.js';
import { listenOnLoopback } from './shared/http/listen-on-loopback.js';
import { isLocalOnly } from './shared/http/requests/own-hosts.js';
import { closeGently, setServerLimits } from './shared/lifecycle/drain.js';
import { stopOnSignal } from './shared/lifecycle/lifecycle.js';
import { withoutModuleLines } from './shared/logging/log-lines.js';

/** Starts the web app and the API. */
export async function startWeb(settings: Settings): Promise<void> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule.with(settings), {
    bufferLogs: true,
    bodyParser: false,
  });
  app.useLogger(withoutModuleLines(app.get(Logger)));
  configureHttp(app, settings);
  setServerLimits(app.getHttpServer());
  stopOnSignal(app, settings, () => closeGently(app));
  await app.init();
  await openConnections(app.get(MikroORM));
  if (isLocalOnly(settings)) await listenOnLoopback(app, settings.port);
  else await listen(app, settings.port);
}
