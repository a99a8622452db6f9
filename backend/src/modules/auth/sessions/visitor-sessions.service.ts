import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { hashToken, isTokenShaped, mintToken } from '../../../shared/tokens/tokens.js';
import { AuthCookies, VISITOR_DAYS } from '../sign-in/auth-cookies.service.js';

/** Remembers for 30 days who referred a visitor, across requests and instances. The cookie holds only a random id. */
@Injectable()
export class VisitorSessions {
  constructor(
    private readonly em: EntityManager,
    private readonly cookies: AuthCookies,
  ) {}

  /** Remembers a referral reference. It replaces an earlier one, and the 30 days begin again. */
  async rememberReferral(req: Request, res: Response, key: string): Promise<void> {
    const known = this.cookies.read(req, 'visitor');
    const token = isTokenShaped(known) ? known : mintToken();
    await changed(
      this.em.fork(),
      `insert into sessions (sid, sess, expire) values (?, jsonb_build_object('referral', ?::text), now() + make_interval(days => ?::int))
       on conflict (sid) do update set sess = sessions.sess || excluded.sess, expire = excluded.expire`,
      [hashToken(token), key, VISITOR_DAYS],
    );
    this.cookies.set(res, 'visitor', token);
  }

  /**
   * Key of the visitor's row.
   * @returns null if the browser has no visitor cookie
   */
  idOf(req: Request): string | null {
    const token = this.cookies.read(req, 'visitor');
    return isTokenShaped(token) ? hashToken(token) : null;
  }

  /**
   * Takes the visitor's referral reference within the caller's transaction, so that it counts for one account only.
   * @returns null if there is none
   */
  async takeReferral(em: EntityManager, id: string): Promise<string | null> {
    const [row] = await rows<{ referral: string | null }>(
      em,
      `delete from sessions where sid = ? and expire > now() returning sess ->> 'referral' as referral`,
      [id],
    );
    return row?.referral ?? null;
  }
}
