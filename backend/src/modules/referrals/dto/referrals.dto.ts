import { IsNotEmpty, IsString, MaxLength } from 'class-validator';
import { Trim } from '../../../shared/http/index.js';
import type { InviteStatus } from '../referrals.entities.js';
import { INVALID_ADDRESS, NO_ADDRESS } from '../referrals.errors.js';

/** Figures of a user's referrals. */
export class ReferralStatsDto {
  /**
   * Number of invites sent by mail
   * @example 12
   */
  totalInvites: number;

  /**
   * Number of unanswered invites
   * @example 5
   */
  pendingInvites: number;

  /**
   * Number of accepted invites
   * @example 4
   */
  acceptedInvites: number;

  /**
   * Number of people who registered through the user, by invite or by link
   * @example 7
   */
  signupConversions: number;

  /**
   * Number of these people who have paid
   * @example 2
   */
  paidConversions: number;
}

/** An invite sent by mail. */
export class ReferralInviteDto {
  /**
   * The invite's id
   * @example "7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11"
   */
  id: string;

  /**
   * The invited address
   * @example "colleague@example.com"
   */
  inviteeEmail: string;

  /**
   * Status of the invite
   * @example "pending"
   */
  status: InviteStatus;

  /**
   * When the invite was sent
   * @example "2026-01-05T09:30:00.000Z"
   */
  sentAt: string;

  /**
   * When the invited person registered; null if they have not
   * @example "2026-01-07T14:02:00.000Z"
   */
  acceptedAt: string | null;

  /**
   * Time until which the invite's link works
   * @example "2026-02-04T09:30:00.000Z"
   */
  expiresAt: string;
}

/** A user's referrals. */
export class ReferralsDto {
  /**
   * Figures
   */
  stats: ReferralStatsDto;

  /** The newest 100 invites; GET /api/referrals/invites lists all */
  invites: ReferralInviteDto[];
}

/** A user's own referral link. */
export class ReferralCodeDto {
  /**
   * The code in the link
   * @example "K7QW2M9XPA"
   */
  code: string;

  /**
   * The link to share
   * @example "https://staffcast.example/invite/K7QW2M9XPA"
   */
  referralUrl: string;
}

/** The address to invite. */
export class InviteDto {
  /**
   * The colleague's address
   * @example "colleague@example.com"
   */
  @Trim()
  @MaxLength(320, { message: INVALID_ADDRESS })
  @IsNotEmpty({ message: NO_ADDRESS })
  @IsString({ message: NO_ADDRESS })
  inviteeEmail: string;
}

/** A visited referral link. */
export class VisitDto {
  /**
   * A user's code or an invite's token
   * @example "K7QW2M9XPA"
   */
  @MaxLength(2000)
  @IsString()
  ref: string;
}

/** The referrer of a visitor. */
export class ReferrerDto {
  /**
   * The referrer's name; null if the link is not valid
   * @example "Ann Kumar"
   */
  inviterName: string | null;
}

/** Token of a mailed opt-out link. */
export class OptOutDto {
  /**
   * The token in the link
   * @example "qO3tQ8wq0r9v4bq2mQ1kq7Zb3bX9p0F4d8n6sT2yL1A"
   */
  @MaxLength(200)
  @IsString()
  token: string;
}
