import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Passport, type PassportStatic } from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { Settings } from '../../../shared/config/settings.js';
import { isBearer } from '../../../shared/http/requests/origin.guard.js';
import type { RequestUser } from '../../../shared/http/requests/request-user.js';
import { AuthCookies } from '../sign-in/auth-cookies.service.js';
import { DeviceSessions } from './device-sessions.service.js';
import { keyRing, type KeyRing, type KeySecrets } from '../../../shared/tokens/key-ring.js';

/** Keys of access tokens. Older versions signed with the secret itself; their tokens expire after 15 minutes. */
export const accessKeys = (secrets: KeySecrets): KeyRing => keyRing(secrets, 'access-token', (secret) => secret);

/**
 * Returns the accepted key that signed a token. If there is none, returns the current key, so that verification fails.
 * Works with key objects, because the library checks at every request whether a key given as bytes is a PEM public key.
 */
export function signingKeyOf({ accepted }: KeyRing): (token: string) => Buffer {
  const keys = accepted.map((key) => createSecretKey(key));
  return (token) => {
    const at = token.lastIndexOf('.');
    const isBy = (key: KeyObject) =>
      createHmac('sha256', key).update(token.slice(0, at)).digest('base64url') === token.slice(at + 1);
    return (keys.find(isBy) ?? keys[0]!) as unknown as Buffer;
  };
}

export interface AccessClaims {
  sub: string;
  sid: string;
}

export const JWT_STRATEGY = 'jwt';

/**
 * Reads the access token from the Bearer header or the cookie. The token only names a session; the session's row
 * decides.
 */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, JWT_STRATEGY) {
  /**
   * Each app has its own registry, so that two apps in one process (tests) do not share strategies. Created when the
   * base class first asks for it.
   */
  private registry?: PassportStatic;

  constructor(
    settings: Settings,
    cookies: AuthCookies,
    private readonly sessions: DeviceSessions,
  ) {
    const jwtFromRequest = (req: Request) =>
      isBearer(req) ? ExtractJwt.fromAuthHeaderAsBearerToken()(req) : (cookies.read(req, 'access') ?? null);
    const keyOf = signingKeyOf(accessKeys(settings));
    const secretOrKeyProvider = (_req: Request, token: string, done: (error: null, key: Buffer) => void) =>
      done(null, keyOf(token));
    super({ jwtFromRequest, secretOrKeyProvider, algorithms: ['HS256'], issuer: 'staffcast', audience: 'access' });
  }

  getPassportInstance(): PassportStatic {
    return (this.registry ??= new Passport() as unknown as PassportStatic);
  }

  async validate(claims: AccessClaims): Promise<RequestUser | false> {
    return (await this.sessions.userOf(claims.sid, claims.sub)) ?? false;
  }
}
