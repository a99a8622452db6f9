import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { changed, rows } from '../../shared/database/rows.js';
import { hashToken, isTokenShaped, mintToken } from '../../shared/tokens/tokens.js';
import { AuthCookies, VISITOR_DAYS } from './auth-cookies.service.js';

/** Who sent a visitor, remembered for 30 days over requests and instances (decisions.md D3); the cookie holds a random name only. */
@Injectable()
export class VisitorSessions {
  constructor(private readonly em: EntityManager, private readonly cookies: AuthCookies) {}

  /** The last reference counts; each visit starts the 30 days anew. */
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

  /** The visitor's name as its row is found by; null for a browser that nobody sent. */
  idOf(req: Request): string | null {
    const token = this.cookies.read(req, 'visitor');
    return isTokenShaped(token) ? hashToken(token) : null;
  }

  /** Uses the visitor's reference up within the caller's transaction: it counts for one account. */
  async takeReferral(em: EntityManager, id: string): Promise<string | null> {
    const [row] = await rows<{ referral: string | null }>(em, `delete from sessions where sid = ? and expire > now() returning sess ->> 'referral' as referral`, [id]);
    return row?.referral ?? null;
  }
}
