import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { countMatches } from '../../shared/database/count-matches.js';
import { contains, Keyset, type KeysetRow, type SortKey } from '../../shared/database/keyset.js';
import { rows } from '../../shared/database/rows.js';
import type { Page, PageQuery } from '../../shared/http/index.js';
import { ReferralRefs } from '../auth/index.js';
import type { ReferralCodeDto, ReferralInviteDto, ReferralsDto, ReferralStatsDto } from './dto/referrals.dto.js';
import type { InviteStatus } from './entities/referral-invite.entity.js';

const SORTS: Record<string, SortKey> = {
  sentAt: { expression: 'i.sent_at', type: 'timestamptz' },
  inviteeEmail: { expression: 'lower(i.invitee_email)', type: 'text' },
};
const NEWEST = 100;
const PART = 1000;
/** An invite has run out by its time, whether or not the sweeper has said so yet. */
const STATUS = `case when i.status = 'pending' and i.expires_at <= now() then 'expired' else i.status end`;

interface InviteRow extends KeysetRow {
  id: string;
  invitee_email: string;
  status: InviteStatus;
  sent_at: string;
  accepted_at: string | null;
  expires_at: string;
}

/** What a user sees of their referrals. */
@Injectable()
export class ReferralReader {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly refs: ReferralRefs,
  ) {}

  async overview(userId: string): Promise<ReferralsDto> {
    const [stats, newest] = [await this.stats(userId), await this.part(userId, { limit: NEWEST })];
    return { stats, invites: newest.rows };
  }

  async code(userId: string): Promise<ReferralCodeDto> {
    const code = await this.refs.codeOf(this.em, userId);
    return { code, referralUrl: `${this.settings.appUrl}/invite/${code}` };
  }

  async page(userId: string, query: PageQuery): Promise<Page<ReferralInviteDto>> {
    const [condition, params] = this.where(userId, query);
    return { ...(await this.part(userId, query)), ...(await countMatches(this.em, `referral_invites i where ${condition}`, params)) };
  }

  /** The whole collection, read in parts. */
  async all(userId: string, query: PageQuery): Promise<AsyncIterable<ReferralInviteDto>> {
    const next = (cursor?: string | null) => this.part(userId, { ...query, limit: PART, cursor: cursor ?? query.cursor });
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

  private async part(userId: string, query: PageQuery): Promise<Omit<Page<ReferralInviteDto>, 'total' | 'isTotalCapped'>> {
    const limit = query.limit ?? PART;
    const keyset = new Keyset(SORTS, query.sort ?? '-sentAt', query.cursor, 'i.id');
    const [condition, params] = this.where(userId, query);
    const found = await rows<InviteRow>(
      this.em,
      `select ${keyset.columns}, i.id, i.invitee_email, ${STATUS} as status, i.sent_at, i.accepted_at, i.expires_at
       from referral_invites i where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    const page = keyset.page(found, limit);
    return { ...page, rows: page.rows.map(toInvite) };
  }

  private where(userId: string, { search }: PageQuery): [string, unknown[]] {
    const text = search?.trim();
    return text ? ['i.inviter_user_id = ? and i.invitee_email ilike ?', [userId, contains(text)]] : ['i.inviter_user_id = ?', [userId]];
  }
}

const iso = (time: string): string => new Date(time).toISOString();
const toInvite = (row: InviteRow): ReferralInviteDto => ({
  id: row.id, inviteeEmail: row.invitee_email, status: row.status, sentAt: iso(row.sent_at),
  acceptedAt: row.accepted_at && iso(row.accepted_at), expiresAt: iso(row.expires_at),
});
