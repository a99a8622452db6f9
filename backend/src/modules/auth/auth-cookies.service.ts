import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CookieOptions, Request, Response } from 'express';
import { Settings } from '../../shared/config/settings.js';
import { SealedValues } from './sealed-values.js';

export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_DAYS = 30;
export const VISITOR_DAYS = 30;
const DAY_MS = 24 * 3600 * 1000;

type CookieName = 'access' | 'refresh' | 'device' | 'visitor';
const LIFETIME: Record<CookieName, number> = { access: ACCESS_SECONDS * 1000, refresh: REFRESH_DAYS * DAY_MS, device: 365 * DAY_MS, visitor: VISITOR_DAYS * DAY_MS };

/** The cookies: who it is (15 minutes), the device's session (30 days), that this account signed in here before, and which visitor it is (30 days). */
@Injectable()
export class AuthCookies {
  private readonly seals: SealedValues;
  private readonly prefix: string;
  private readonly options: CookieOptions;

  constructor(settings: Settings) {
    this.seals = new SealedValues(settings, 'device-cookie', 'device');
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

  /** Signs this browser out; that the account was here before stays known. */
  clear(res: Response): void {
    for (const name of ['access', 'refresh'] as const) {
      this.drop(res, name);
      res.clearCookie(this.prefix + name, this.options);
    }
  }

  /** A name for this browser if the account has signed in here before: wrong passwords elsewhere do not lock it out. */
  knownDevice(req: Request, userId: string): string | undefined {
    const value = this.seals.open(this.read(req, 'device'));
    const [owner, device] = value?.split(':') ?? [];
    return owner === userId ? device : undefined;
  }

  rememberDevice(req: Request, res: Response, userId: string): void {
    this.set(res, 'device', this.seals.seal(`${userId}:${this.knownDevice(req, userId) ?? randomUUID()}`));
  }

  /** One answer sets a cookie once: renewed and then signed out leaves the last word. */
  private drop(res: Response, name: CookieName): void {
    const before = res.getHeader('set-cookie');
    if (!Array.isArray(before) && typeof before !== 'string') return;
    const kept = [before].flat().filter((line) => !line.startsWith(`${this.prefix}${name}=`));
    if (kept.length > 0) res.setHeader('set-cookie', kept);
    else res.removeHeader('set-cookie');
  }
}
