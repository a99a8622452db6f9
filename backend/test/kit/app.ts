import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityManager } from '@mikro-orm/postgresql';
import { MikroORM } from '@mikro-orm/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import request from 'supertest';
import { AppModule } from '../../src/app.module.js';
import { readSettings } from '../../src/shared/config/read-settings.js';
import { Settings } from '../../src/shared/config/settings.js';
import { POOL_PATIENCE } from '../../src/shared/database/pool.js';
import { configureHttp } from '../../src/shared/http/configure-http.js';
import { listen } from '../../src/shared/http/listen.js';
import { createDatabase } from './database.js';
import { MailCatcher } from './mail-catcher.js';
import { signUp, type SignedUp, type SignUpOptions } from './users.js';

// On a busy machine tests may wait long for a connection. The fault tests keep the product's short limit.
Object.assign(POOL_PATIENCE, { web: 30_000 });

export interface AppOptions {
  /** Environment variables that override the kit's own. */
  env?: Record<string, string>;
  /** Starts a second instance with the database, Redis keys and mail sink of this one. */
  beside?: TestApp;
  /** Replaces providers of the application. */
  override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
}

/** One running instance of the product for tests, with real database, Redis and SMTP, on a free port. */
export class TestApp {
  private stopped?: Promise<void>;

  constructor(
    readonly nest: NestExpressApplication,
    readonly url: string,
    readonly settings: Settings,
    readonly mails: MailCatcher,
    readonly env: Record<string, string>,
    private readonly cleanUp: (() => Promise<void> | void)[],
  ) {}

  /** A fresh entity manager. */
  em(): EntityManager {
    return this.nest.get(MikroORM).em.fork() as EntityManager;
  }

  get<T>(type: abstract new (...args: never[]) => T): T {
    return this.nest.get<T>(type as never, { strict: false });
  }

  /** Requests without a session. */
  http() {
    return request(this.url);
  }

  /** Registers an account and signs its agent in. */
  user(options: SignUpOptions = {}): Promise<SignedUp> {
    return signUp(this, options);
  }

  /** Stops this instance; shared services stay. Runs once, because a second shutdown would reconnect the queues. */
  stop(): Promise<void> {
    return (this.stopped ??= this.nest.close());
  }

  async close(): Promise<void> {
    await this.stop();
    for (const step of this.cleanUp) await step();
  }
}

/**
 * Starts the product.
 * @returns the instance; its `close` stops everything that was started
 */
export async function startApp({
  env = {},
  beside,
  override = (builder) => builder,
}: AppOptions = {}): Promise<TestApp> {
  const database = beside ? undefined : await createDatabase();
  const mails = beside?.mails ?? new MailCatcher();
  const dataDir = mkdtempSync(join(tmpdir(), 'staffcast-kit-'));
  const base: Record<string, string> = beside?.env ?? {
    NODE_ENV: 'test',
    PORT: '0',
    APP_URL: 'http://staffcast.test',
    DATABASE_URL: database!.url,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    REDIS_PREFIX: `test-${randomBytes(6).toString('hex')}`,
    SMTP_URL: await mails.listen(),
    MAIL_FROM: 'no-reply@staffcast.test',
    POSTAL_ADDRESS: '1 Test Street, Springfield',
    JWT_SECRET: 'kit-0123456789abcdef0123456789abcdef',
    RATE_LIMITS: 'off',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    RETRY_SCHEDULE: '1,1,1,2,2',
    RETRY_GIVE_UP: '60',
  };
  const settings = readSettings({ ...base, ...env, DATA_DIR: dataDir });
  const module = await override(Test.createTestingModule({ imports: [AppModule.with(settings)] })).compile();
  const nest = module.createNestApplication<NestExpressApplication>({
    bodyParser: false,
    logger: settings.logLevel === 'silent' ? false : undefined,
  });
  configureHttp(nest, settings);
  await listen(nest, 0, '127.0.0.1');
  const url = (await nest.getUrl()).replace('[::1]', '127.0.0.1');
  const cleanUp = beside ? [] : [() => mails.close(), () => database!.drop()];
  return new TestApp(nest, url, settings, mails, base, [
    ...cleanUp,
    () => rmSync(dataDir, { recursive: true, force: true }),
  ]);
}

/** Starts two instances on the same database, Redis and mail sink. */
export async function startPair(options: AppOptions = {}): Promise<{ app: TestApp; other: TestApp }> {
  const app = await startApp(options);
  return { app, other: await startApp({ ...options, beside: app }) };
}

/** Closes several objects, one after another. */
export async function closeAll(...all: ({ close(): unknown } | undefined)[]): Promise<void> {
  for (const one of all) await one?.close();
}
