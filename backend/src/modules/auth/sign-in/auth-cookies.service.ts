import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Settings } from '../../../shared/config/settings.js';
import { SignedValues } from '../sessions/signed-values.js';

export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_DAYS = 30;
export const VISITOR_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

type CookieName = 'access' | 'refresh' | 'device' | 'visitor';
const LIFETIME: Record<CookieName, number> = {
  access: ACCESS_SECONDS * 1000,
  refresh: REFRESH_DAYS * DAY_MS,
  device: 365 * DAY_MS,
  visitor: VISITOR_DAYS * DAY_MS,
};

/** The auth cookies: access token (15 minutes), refresh token (30 days), known device, visitor id (30 days). */
@Injectable()
export class AuthCookies {
  private readonly signed: SignedValues;
  private readonly prefix: string;
  private readonly options: CookieOptions;

  constructor(settings: Settings) {
    this.signed = new SignedValues(settings, 'device-cookie', 'device');
    this.prefix = settings.secureCookies ? '__Host-staffcast_' : 'staffcast_';
    this.options = { httpOnly: true, sameSite: 'lax', path: '/', secure: settings.secureCookies };
  }

  read(req: Request, name: CookieName): string | undefined {
    const value: unknown = req.cookies?.[this.prefix + name];
    return typeof value === 'string' && value.length > 0 ? value : undefined;
  }

  set(res: Response, name: CookieName, value: string): void {
    this.drop(res, name);
    res.cookie(this.prefix + name, value, { ...this.options, maxAge: LIFETIME[name] });
  }

  /** Removes the cookies of this browser's session. Keeps the known-device cookie. */
  clear(res: Response): void {
    for (const name of ['access', 'refresh'] as const) {
      this.drop(res, name);
      res.clearCookie(this.prefix + name, this.options);
    }
  }

  /**
   * Returns this browser's device id. Failed sign-ins elsewhere do not lock out a known device.
   * @returns undefined if the account has not signed in on this browser before
   */
  knownDevice(req: Request, userId: string): string | undefined {
    const value = this.signed.verify(this.read(req, 'device'));
    const [owner, device] = value?.split(':') ?? [];
    return owner === userId ? device : undefined;
  }

  rememberDevice(req: Request, res: Response, userId: string): void {
    this.set(res, 'device', this.signed.sign(`${userId}:${this.knownDevice(req, userId) ?? randomUUID()}`));
  }

  /** Removes a Set-Cookie header that the same response already has, so that a sign-out wins over a renewal. */
  private drop(res: Response, name: CookieName): void {
    const before = res.getHeader('set-cookie');
    if (!Array.isArray(before) && typeof before !== 'string') return;
    const kept = [before].flat().filter((line) => !line.startsWith(`${this.prefix}${name}=`));
    if (kept.length > 0) res.setHeader('set-cookie', kept);
    else res.removeHeader('set-cookie');
  }
}
