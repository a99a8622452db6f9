import 'reflect-metadata';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { NestFactory } from '@nestjs/core';
import { SwaggerModule } from '@nestjs/swagger';
import { AppModule } from '../app.module.js';
import { readSettings } from '../shared/config/read-settings.js';
import { buildDocument, documentText } from '../shared/openapi/document.js';

// The compiled file is in backend/dist/src/cli.
const BACKEND = join(import.meta.dirname, '..', '..', '..');
const TARGET = join(BACKEND, '..', 'openapi', 'openapi.json');
/** File into which the build extracts the comments and types of DTOs and controllers, for the OpenAPI document. */
const METADATA = join(import.meta.dirname, '..', 'metadata.js');

/** Dummy settings, which need only be well-formed: preview mode creates no providers and connects to nothing. */
const SETTINGS = {
  NODE_ENV: 'test',
  DATABASE_URL: 'postgres://nowhere',
  REDIS_URL: 'redis://nowhere',
  SMTP_URL: 'smtp://nowhere',
  JWT_SECRET: 'of-no-use-but-long-enough-to-be-accepted',
  ROLE: 'web',
};

if (!existsSync(METADATA)) throw new Error('No metadata.js beside the build: run `npm run openapi`, which makes it');
const app = await NestFactory.create(AppModule.with(readSettings(SETTINGS)), { preview: true, logger: ['error'] });
const { default: metadata } = (await import(pathToFileURL(METADATA).href)) as {
  default: () => Promise<Record<string, unknown>>;
};
await SwaggerModule.loadPluginMetadata(metadata);
mkdirSync(dirname(TARGET), { recursive: true });
writeFileSync(TARGET, documentText(buildDocument(app)));
process.exit(0);
