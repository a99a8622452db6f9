import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isoTime } from '../../shared/text/formats.js';
import { Settings } from '../../shared/config/settings.js';
import { allOf } from '../../shared/database/queries/all-of.js';
import { countMatches } from '../../shared/database/queries/read-page.js';
import { contains, Keyset, type KeysetRow, type SortKey } from '../../shared/database/queries/keyset.js';
import { rows, type SqlPart } from '../../shared/database/queries/rows.js';
import type { Page, PageQuery } from '../../shared/http/index.js';
import { PendingReferrals } from '../auth/index.js';
import type { ReferralCodeDto, ReferralInviteDto, ReferralsDto, ReferralStatsDto } from './dto/referrals.dto.js';
import type { InviteStatus } from './referrals.entities.js';

const SORTS: Record<string, SortKey> = {
  sentAt: { expression: 'i.sent_at', type: 'timestamptz' },
  inviteeEmail: { expression: 'lower(i.invitee_email)', type: 'text' },
};
const MAX_SHOWN = 100;
const PAGE_ROWS = 1000;
/** SQL of the status shown: an invite past its expiry is expired even before the sweeper has updated it. */
const STATUS = `case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end`;

interface InviteRow extends KeysetRow {
  id: string;
  invitee_email: string;
  status: InviteStatus;
  sent_at: string;
  accepted_at: string | null;
  expires_at: string;
}

/** Reads the referrals of a user. */
@Injectable()
export class ReferralReader {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly pendingReferrals: PendingReferrals,
  ) {}

  async overview(userId: string): Promise<ReferralsDto> {
    const [stats, newest] = [await this.stats(userId), await this.part(userId, { limit: MAX_SHOWN })];
    return { stats, invites: newest.rows };
  }

  async code(userId: string): Promise<ReferralCodeDto> {
    const code = await this.pendingReferrals.codeOf(this.em, userId);
    return { code, referralUrl: `${this.settings.appUrl}/invite/${code}` };
  }

  async page(userId: string, query: PageQuery): Promise<Page<ReferralInviteDto>> {
    const { sql: condition, params } = this.where(userId, query);
    return {
      ...(await this.part(userId, query)),
      ...(await countMatches(this.em, `referral_invites i where ${condition}`, params)),
    };
  }

  /** Streams all invites, read page by page. */
  async all(userId: string, query: PageQuery): Promise<AsyncIterable<ReferralInviteDto>> {
    const next = (cursor?: string | null) =>
      this.part(userId, { ...query, limit: PAGE_ROWS, cursor: cursor ?? query.cursor });
    const first = await next();
    return (async function* () {
      for (let part = first; ; part = await next(part.next)) {
        yield* part.rows;
        if (!part.next) return;
      }
    })();
  }

  private async stats(userId: string): Promise<ReferralStatsDto> {
    const [stats] = await rows<ReferralStatsDto>(
      this.em,
      `select i.*, c.* from
        (select count(*)::int as "totalInvites",
                count(*) filter (where i.status = 'pending' and i.expires_at > now())::int as "pendingInvites",
                count(*) filter (where i.status = 'accepted')::int as "acceptedInvites"
         from referral_invites i where i.inviter_user_id = ?) i,
        (select count(*) filter (where conversion_type = 'signup')::int as "signupConversions",
                count(*) filter (where conversion_type = 'paid' and metadata -> 'takenBack' is null)::int as "paidConversions"
         from referral_conversions where referrer_user_id = ?) c`,
      [userId, userId],
    );
    return stats!;
  }

  private async part(
    userId: string,
    query: PageQuery,
  ): Promise<Omit<Page<ReferralInviteDto>, 'total' | 'isTotalCapped'>> {
    const limit = query.limit ?? PAGE_ROWS;
    const keyset = new Keyset(SORTS, query.sort ?? '-sentAt', query.cursor, 'i.id');
    const { sql: condition, params } = this.where(userId, query);
    const found = await rows<InviteRow>(
      this.em,
      `select ${keyset.columns}, i.id, i.invitee_email, ${STATUS} as status, i.sent_at, i.accepted_at, i.expires_at
       from referral_invites i where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    const page = keyset.page(found, limit);
    return { ...page, rows: page.rows.map(toInvite) };
  }

  private where(userId: string, { search }: PageQuery): SqlPart {
    const text = search?.trim();
    return allOf([['i.inviter_user_id = ?', userId], text && ['i.invitee_email ilike ?', contains(text)]]);
  }
}
const toInvite = (row: InviteRow): ReferralInviteDto => ({
  id: row.id,
  inviteeEmail: row.invitee_email,
  status: row.status,
  sentAt: isoTime(row.sent_at),
  acceptedAt: row.accepted_at && isoTime(row.accepted_at),
  expiresAt: isoTime(row.expires_at),
});
