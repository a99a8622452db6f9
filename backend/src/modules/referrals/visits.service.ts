import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { userOf } from '../../shared/http/index.js';
import { referralKey, VisitorSessions } from '../auth/index.js';
import { Referrers } from './referrers.service.js';

/** Visitors who follow somebody's link. */
@Injectable()
export class Visits {
  constructor(private readonly em: EntityManager, private readonly referrers: Referrers, private readonly visitors: VisitorSessions) {}

  /** Remembers who sent this browser, unless someone is signed in on it. @returns the name of the one who sent it; null for a link that leads to nobody */
  async note(ref: string | undefined, req: Request, res: Response): Promise<string | null> {
    const key = referralKey(ref);
    const referrer = key ? await this.referrers.byKey(this.em.fork(), key) : null;
    if (key && referrer && !userOf(req)) await this.visitors.rememberReferral(req, res, key);
    return referrer?.name ?? null;
  }
}
