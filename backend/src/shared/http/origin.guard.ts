import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Settings } from '../config/settings.js';
import { AppError, forbidden } from '../errors/app-error.js';
import { CROSS_SITE } from './access.decorators.js';
import { BODY_RULE, type BodyRule } from './body.decorators.js';
import { isOwnHost } from './own-hosts.js';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);
const OWN_SITE = new Set(['same-origin', 'none']);
/** What a page of another site cannot send without asking first (decisions.md D4). */
const PROGRAM_TYPES = /^(application\/json|text\/csv|image\/(png|jpeg|webp))\s*(;|$)/i;

/** Unsafe methods are for our own pages and for programs, not for other sites' pages. */
@Injectable()
export class OriginGuard implements CanActivate {
  private readonly origins: Set<string>;

  constructor(private readonly reflector: Reflector, private readonly settings: Settings) {
    const local = ['localhost', '127.0.0.1'].map((host) => `http://${host}:${settings.port}`);
    this.origins = new Set([new URL(settings.appUrl).origin, ...(settings.embedded.size > 0 ? local : [])]);
  }

  canActivate(context: ExecutionContext): boolean {
    const req = context.switchToHttp().getRequest<Request>();
    if (context.getType() !== 'http' || SAFE.has(req.method)) return true;
    if (this.reflector.getAllAndOverride<boolean>(CROSS_SITE, [context.getHandler(), context.getClass()])) return true;
    const body = this.reflector.getAllAndOverride<BodyRule | undefined>(BODY_RULE, [context.getHandler(), context.getClass()]);
    this.require(req, body?.kind === 'stream' ? body.accepts : 'JSON');
    return true;
  }

  /**
   * @param accepts what the route takes, in words
   * @throws 403 for an unsafe request of another site's page, 415 for one that a page could have sent unasked
   */
  require(req: Request, accepts = 'JSON'): void {
    if (SAFE.has(req.method) || isBearer(req)) return;
    const site = req.get('sec-fetch-site');
    const origin = req.get('origin');
    if ((site && !OWN_SITE.has(site)) || (origin && !this.isOwn(origin, req))) {
      throw forbidden('This request came from another site', 'cross_site');
    }
    if (!site && !origin) requireProgram(req, accepts);
  }

  private isOwn(origin: string, req: Request): boolean {
    if (this.origins.has(origin)) return true;
    return this.settings.embedded.size > 0 && isOwnHost(this.settings, req.get('host')) && origin === `http://${req.get('host')}`;
  }
}

/** A call with an Authorization header carries no cookie that counts: see the access token's reader. */
export const isBearer = (req: Request): boolean => /^Bearer\s/i.test(req.get('authorization') ?? '');

function requireProgram(req: Request, accepts: string): void {
  const hasBody = Number(req.get('content-length') ?? 0) > 0 || req.get('transfer-encoding') !== undefined;
  if (hasBody && !PROGRAM_TYPES.test(req.get('content-type') ?? '')) {
    throw new AppError('unsupported_media_type', 415, `Send ${accepts}`);
  }
}
