import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { userOf } from '../../shared/http/index.js';
import { referralKey, VisitorSessions } from '../auth/index.js';
import { Referrers } from './referrers.service.js';

/** Visits of referral links. */
@Injectable()
export class Visits {
  constructor(
    private readonly em: EntityManager,
    private readonly referrers: Referrers,
    private readonly visitors: VisitorSessions,
  ) {}

  /**
   * Remembers the referrer for this browser unless a user is signed in.
   * @returns the referrer's name; null for an invalid link
   */
  async note(ref: string | undefined, req: Request, res: Response): Promise<string | null> {
    const key = referralKey(ref);
    const referrer = key ? await this.referrers.byKey(this.em.fork(), key) : null;
    if (key && referrer && !userOf(req)) await this.visitors.rememberReferral(req, res, key);
    return referrer?.name ?? null;
  }
}
