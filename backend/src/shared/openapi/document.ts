import type { INestApplication } from '@nestjs/common';
import { MetadataScanner, ModulesContainer, Reflector } from '@nestjs/core';
import { DocumentBuilder, getSchemaPath, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PUBLIC } from '../http/requests/access.decorators.js';
import { BODY_RULE } from '../http/requests/body.decorators.js';
import { ErrorBody } from '../http/responses/error-body.dto.js';
import { PRODUCT_NAME } from '../enums.js';

interface Answers {
  operationId?: string;
  requestBody?: unknown;
  security?: Record<string, string[]>[];
  responses?: Record<string, { content?: Record<string, unknown> }>;
}

/** Names of the security schemes, as Swagger UI shows them. */
export const COOKIE_SCHEME = 'cookie';
export const BEARER_SCHEME = 'bearer';

/** Builds the OpenAPI document. The name of an operation is the name of its handler. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle(`${PRODUCT_NAME} API`)
    .setDescription(
      'Sign in with POST /api/auth/login (the browser keeps the cookies), or take a token from POST /api/auth/token and put it under Authorize.',
    )
    .setVersion('1')
    .addCookieAuth('staffcast_access', { type: 'apiKey', in: 'cookie' }, COOKIE_SCHEME)
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' }, BEARER_SCHEME)
    .addSecurityRequirements(COOKIE_SCHEME)
    .addSecurityRequirements(BEARER_SCHEME)
    .build();
  return markPublicOperations(withRefusedBodies(withJsonErrors(SwaggerModule.createDocument(app, config, { operationIdFactory: (_controller, method) => method })), handlersWith(app, BODY_RULE)), handlersWith(app, PUBLIC));
}

/** Names of the handlers that carry this metadata, either themselves or through their controller. */
function handlersWith(app: INestApplication, metadata: string): Set<string> {
  const reflector = app.get(Reflector);
  const scanner = new MetadataScanner();
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  return new Set(controllers.flatMap(({ metatype }) => {
    const prototype = (metatype as new () => object).prototype as Record<string, () => unknown>;
    return scanner.getAllMethodNames(prototype).filter((name) => reflector.getAllAndOverride<unknown>(metadata, [prototype[name]!, metatype as never]));
  }));
}

/** Marks public operations with `security: []`, which overrides the security of the document. */
function markPublicOperations(document: OpenAPIObject, open: ReadonlySet<string>): OpenAPIObject {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item) as Answers[])) {
    if (open.has(operation.operationId ?? '')) operation.security = [];
  }
  return document;
}

/**
 * Adds the 400 that BodyGuard answers to a body, for calls that take none.
 * @param own handlers with their own body rule
 */
function withRefusedBodies(document: OpenAPIObject, own: ReadonlySet<string>): OpenAPIObject {
  const refused = { description: 'The call takes no body', content: { 'application/json': { schema: { $ref: getSchemaPath(ErrorBody) } } } };
  for (const [method, operation] of Object.values(document.paths).flatMap((item) => Object.entries(item) as [string, Answers][])) {
    if (method === 'get' || operation.requestBody || own.has(operation.operationId ?? '')) continue;
    operation.responses = { '400': refused, ...operation.responses };
  }
  return document;
}

/** Sets JSON as the content type of errors, because @ApiProduces changes it for errors, too. */
function withJsonErrors(document: OpenAPIObject): OpenAPIObject {
  for (const operation of Object.values(document.paths).flatMap((item) => Object.values(item) as Answers[])) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      const [media] = Object.values(response.content ?? {});
      if (Number(status) >= 400 && media) response.content = { 'application/json': media };
    }
  }
  return document;
}

/**
 * Serialises the document in a stable form: paths, schemas and enum values in alphabetical order, with a final newline.
 * The compiler's order of union members differs between builds.
 */
export function documentText(document: OpenAPIObject): string {
  const schemas = document.components?.schemas;
  const ordered = {
    ...document,
    paths: sorted(document.paths),
    components: { ...document.components, ...(schemas && { schemas: sorted(schemas) }) },
  };
  return `${JSON.stringify(ordered, sortEnums, 2)}\n`;
}

function sortEnums(key: string, value: unknown): unknown {
  return key === 'enum' && Array.isArray(value) ? [...value].sort() : value;
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
