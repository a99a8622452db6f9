import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { adminsOnly } from '../http/pages/admin-pages.js';
import { findUp } from '../http/pages/web-app.js';
import type { Settings } from '../config/settings.js';
import { PRODUCT_NAME } from '../enums.js';

const EMPTY: OpenAPIObject = { openapi: '3.0.0', info: { title: PRODUCT_NAME, version: '0' }, paths: {} };

/**
 * Serves /api/docs and /api/openapi.json from the committed document. Everyone may read them if the services are
 * embedded (`npm start`), else only admins.
 */
export function setUpDocs(app: NestExpressApplication, settings: Settings): void {
  const text = readDocument();
  if (settings.embedded.size === 0) app.use(['/api/docs', '/api/openapi.json'], adminsOnly(app));
  app.use('/api/openapi.json', (_req: Request, res: Response) => void res.type('application/json').send(text));
  SwaggerModule.setup('api/docs', app, () => JSON.parse(text) as OpenAPIObject, {
    raw: false,
    customSiteTitle: `${PRODUCT_NAME} API`,
    swaggerOptions: { persistAuthorization: true, displayRequestDuration: true },
  });
}

function readDocument(): string {
  const path = findUp('openapi/openapi.json');
  return path ? readFileSync(path, 'utf8') : `${JSON.stringify(EMPTY)}\n`;
}
