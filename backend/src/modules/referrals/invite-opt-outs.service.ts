import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { RateLimits } from '../../shared/http/index.js';
import { hashToken, isTokenShaped, mintToken } from '../../shared/tokens/tokens.js';
import { InviteOptOut } from './entities/invite-opt-out.entity.js';
import { unknownOptOut } from './referrals.errors.js';

/** Addresses that said "never again" to invites, whoever sends them. */
@Injectable()
export class InviteOptOuts {
  constructor(private readonly em: EntityManager, private readonly limits: RateLimits) {}

  /** A link for one more mail to an address, within the caller's transaction. @returns its token */
  async mint(em: EntityManager, addressHash: Buffer): Promise<string> {
    const token = mintToken();
    await em.insert(InviteOptOut, { token: hashToken(token), addressHash });
    return token;
  }

  async isOut(em: EntityManager, addressHash: Buffer): Promise<boolean> {
    return (await rows(em, `select 1 from referral_opt_outs where address_hash = ? and opted_out_at is not null limit 1`, [addressHash])).length > 0;
  }

  /** Takes the address of a mailed link off all invites, for good; a second use says the same. @throws 404 `token_invalid` */
  async optOut(token: string, ip: string): Promise<void> {
    const sql = `update referral_opt_outs set opted_out_at = coalesce(opted_out_at, now()) where token = ?`;
    if (isTokenShaped(token) && (await changed(this.em.fork(), sql, [hashToken(token)])) > 0) return;
    await this.limits.consumeByClient('wrong-token', ip);
    throw unknownOptOut();
  }
}
