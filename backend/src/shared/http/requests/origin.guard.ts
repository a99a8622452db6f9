import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Settings } from '../../config/settings.js';
import { AppError, forbidden } from '../../errors/app-error.js';
import { CROSS_SITE } from './access.decorators.js';
import { BODY_RULE, type BodyRule } from './body.decorators.js';
import { isOwnHost } from './own-hosts.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);
const OWN_SITE = new Set(['same-origin', 'none']);
/** Content types that a page of another site can send only after a CORS preflight. */
const PROGRAM_TYPES = /^(application\/json|text\/csv|image\/(png|jpeg|webp))\s*(;|$)/i;

/** Refuses cross-site requests with unsafe methods (see decisions.md: cross-site-requests). */
@Injectable()
export class OriginGuard implements CanActivate {
  private readonly origins: Set<string>;

  constructor(
    private readonly reflector: Reflector,
    private readonly settings: Settings,
  ) {
    const local = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${settings.port}`);
    this.origins = new Set([new URL(settings.appUrl).origin, ...(settings.embedded.size > 0 ? local : [])]);
  }

  canActivate(context: ExecutionContext): boolean {
    const req = context.switchToHttp().getRequest<Request>();
    if (context.getType() !== 'http' || SAFE_METHODS.has(req.method)) return true;
    if (this.reflector.getAllAndOverride<boolean>(CROSS_SITE, [context.getHandler(), context.getClass()])) return true;
    const body = this.reflector.getAllAndOverride<BodyRule | undefined>(BODY_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    this.require(req, body?.kind === 'stream' ? body.accepts : 'JSON');
    return true;
  }

  /**
   * @param accepts accepted content types, for the error text
   * @throws 403 for an unsafe request from another site; 415 for a content type that another site could send without a
   * preflight
   */
  require(req: Request, accepts = 'JSON'): void {
    if (SAFE_METHODS.has(req.method) || isBearer(req)) return;
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin');
    if ((site && !OWN_SITE.has(site)) || (origin && !this.isOwn(origin, req))) {
      throw forbidden('This request came from another site', 'cross_site');
    }
    if (!site && !origin) requireProgram(req, accepts);
  }

  private isOwn(origin: string, req: Request): boolean {
    if (this.origins.has(origin)) return true;
    return (
      this.settings.embedded.size > 0 &&
      isOwnHost(this.settings, req.get('host')) &&
      origin === `http://${req.get('host')}`
    );
  }
}

/** Whether the request has a Bearer token. Such requests need no origin check, because their cookies are ignored. */
export const isBearer = (req: Request): boolean => /^Bearer\s/i.test(req.get('authorization') ?? '');

function requireProgram(req: Request, accepts: string): void {
  const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
  if (hasBody && !PROGRAM_TYPES.test(req.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 415, `Send ${accepts}`);
  }
}
