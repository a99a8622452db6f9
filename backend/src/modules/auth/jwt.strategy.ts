import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Passport, type PassportStatic } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Settings } from '../../shared/config/settings.js';
import { isBearer } from '../../shared/http/origin.guard.js';
import type { RequestUser } from '../../shared/http/request-user.js';
import { accessKeys, signingKeyOf } from './access-keys.js';
import { AuthCookies } from './auth-cookies.service.js';
import { DeviceSessions } from './device-sessions.service.js';

export interface AccessClaims {
  sub: string;
  sid: string;
}

export const JWT_STRATEGY = 'jwt';

/** An access token, from a Bearer header or else the cookie, names a session row; the row decides (decisions.md D2). */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, JWT_STRATEGY) {
  /** Its own registry, made when the base class first asks: two apps in one process (tests) do not share strategies. */
  private registry?: PassportStatic;

  constructor(
    settings: Settings,
    cookies: AuthCookies,
    private readonly sessions: DeviceSessions,
  ) {
    const jwtFromRequest = (req: Request) => (isBearer(req) ? ExtractJwt.fromAuthHeaderAsBearerToken()(req) : (cookies.read(req, 'access') ?? null));
    const keyOf = signingKeyOf(accessKeys(settings));
    const secretOrKeyProvider = (_req: Request, token: string, done: (error: null, key: Buffer) => void) => done(null, keyOf(token));
    super({ jwtFromRequest, secretOrKeyProvider, algorithms: ['HS256'], issuer: 'staffcast', audience: 'access' });
  }

  getPassportInstance(): PassportStatic {
    return (this.registry ??= new Passport() as unknown as PassportStatic);
  }

  async validate(claims: AccessClaims): Promise<RequestUser | false> {
    return (await this.sessions.userOf(claims.sid, claims.sub)) ?? false;
  }
}
