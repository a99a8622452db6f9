import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import type { Request, Response } from 'express';
import { Authenticator, clientOf, type RequestUser } from '../../../shared/http/requests/request-user.js';
import { isBearer } from '../../../shared/http/requests/origin.guard.js';
import { ACCESS_SECONDS, AuthCookies } from '../sign-in/auth-cookies.service.js';
import { DeviceSessions, type OpenedSession } from './device-sessions.service.js';
import { JWT_STRATEGY, JwtStrategy } from './jwt.strategy.js';

/** Signs browsers in and out, and identifies callers: by the Bearer token if there is one, else by cookies. */
@Injectable()
export class SessionAuthenticator extends Authenticator {
  constructor(
    private readonly strategy: JwtStrategy,
    private readonly jwt: JwtService,
    private readonly cookies: AuthCookies,
    private readonly sessions: DeviceSessions,
  ) {
    super();
  }

  async authenticate(req: Request, res: Response): Promise<RequestUser | undefined> {
    const user = await this.byAccessToken(req, res);
    return user ?? (isBearer(req) ? undefined : this.renewed(req, res));
  }

  activeSessions(users: readonly Pick<RequestUser, 'id' | 'sessionId'>[]): Promise<Map<string, { isAdmin: boolean }>> {
    return this.sessions.activeOf(users);
  }

  /** Signs this browser in with a new session. Ends its previous session, to prevent session fixation. */
  async signIn(userId: string, req: Request, res: Response): Promise<void> {
    await this.sessions.endByToken(this.cookies.read(req, 'refresh'));
    const session = await this.sessions.open(userId, clientOf(req));
    this.giveCookies(res, session);
    this.cookies.rememberDevice(req, res, userId);
  }

  /** Creates a token for scripts. Its session lives as long as the token. */
  async accessToken(userId: string, req: Request): Promise<{ accessToken: string; expiresIn: number }> {
    const session = await this.sessions.open(userId, clientOf(req), ACCESS_SECONDS);
    return { accessToken: this.sign(session), expiresIn: ACCESS_SECONDS };
  }

  /** Ends this device's session, found by the access token or the refresh token. */
  async signOut(user: RequestUser | undefined, req: Request, res: Response): Promise<void> {
    if (user) await this.sessions.end(user.sessionId, { kind: 'session.signed_out', client: clientOf(req) });
    if (isBearer(req)) return;
    await this.sessions.endByToken(this.cookies.read(req, 'refresh'));
    this.cookies.clear(res);
  }

  private async renewed(req: Request, res: Response): Promise<RequestUser | undefined> {
    const token = this.cookies.read(req, 'refresh');
    if (!token) return undefined;
    const session = await this.sessions.renew(token, clientOf(req));
    const user = session && (await this.sessions.userOf(session.sessionId, session.userId));
    // Does not clear invalid cookies: the browser may have signed in again in the meantime, and would then lose its new
    // cookies.
    if (user) this.giveCookies(res, session);
    return user;
  }

  private giveCookies(res: Response, session: OpenedSession): void {
    this.cookies.set(res, 'access', this.sign(session));
    if (session.refreshToken) this.cookies.set(res, 'refresh', session.refreshToken);
  }

  private sign(session: OpenedSession): string {
    return this.jwt.sign({ sid: session.sessionId }, { subject: session.userId, expiresIn: ACCESS_SECONDS });
  }

  private byAccessToken(req: Request, res: Response): Promise<RequestUser | undefined> {
    return new Promise((resolve, reject) => {
      const answer = (error: unknown, user: RequestUser | false | undefined) =>
        error ? reject(error as Error) : resolve(user || undefined);
      const ask = this.strategy.getPassportInstance().authenticate(JWT_STRATEGY, { session: false }, answer) as (
        req: Request,
        res: Response,
        next: (error?: unknown) => void,
      ) => void;
      ask(req, res, reject);
    });
  }
}
