import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { BODY_RULE, type BodyRule, KB } from './body.decorators.js';
import { readJson, readRaw } from './request-body.js';
import { unknownFields, validationFailed } from './validation.pipe.js';

const USUAL_BYTES = 32 * KB;
const BODILESS = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Prefix of the metadata keys that Nest stores for `@Body()` parameters. */
const BODY_PARAM = '3:';

/**
 * Reads the body by the rule of the route. Runs after authentication and authorisation, so that the body of a refused
 * caller is not read. Refuses a body on routes that take none.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    if (context.getType() !== 'http') return true;
    const req = context.switchToHttp().getRequest<Request>();
    if (BODILESS.has(req.method)) return true;
    const rule = this.reflector.getAllAndOverride<BodyRule | undefined>(BODY_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule?.kind === 'raw') await readRaw(req, rule.maxBytes);
    else if (rule?.kind === 'json') await readJson(req, rule.maxBytes, { document: rule.document });
    else if (!rule) await (takesBody(context) ? readJson(req, USUAL_BYTES) : refuseBody(req));
    return true;
  }
}

function takesBody(context: ExecutionContext): boolean {
  const params = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), context.getHandler().name) ??
    {}) as Record<string, unknown>;
  return Object.keys(params).some((key) => key.startsWith(BODY_PARAM));
}

/** Accepts no body or `{}`. Any other body would be ignored, while the caller believes that it took effect. */
async function refuseBody(req: Request): Promise<void> {
  if (req.is('application/json')) {
    const body = await readJson(req, USUAL_BYTES);
    if (body === undefined) return;
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw validationFailed([{ field: 'body', message: 'This call takes no body' }]);
    const fields = Object.keys(body);
    if (fields.length > 0) throw validationFailed(unknownFields(fields));
    return;
  }
  if ((await readRaw(req, USUAL_BYTES)).length > 0)
    throw validationFailed([{ field: 'body', message: 'This call takes no body' }]);
}
