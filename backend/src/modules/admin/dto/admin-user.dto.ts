import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../shared/words/role.js';
import { AccountDto, DeviceSessionDto } from '../../auth/index.js';
import { SenderReputationDto } from '../../sending/index.js';

/** An account as an admin sees it: no hash, no token, no session. */
export class AdminUserDto extends AccountDto {
  /**
   * First name
   * @example 'Ann'
   */
  firstName: string;

  /**
   * Last name
   * @example 'Kumar'
   */
  lastName: string;

  /** What the person does */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * Whether the account is suspended
   * @example false
   */
  suspended: boolean;

  /**
   * Since when it is
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  suspendedAt: string | null;

  /** Whether the person's mail is complained about: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  @ApiProperty({ enum: ['none', 'watch', 'alert'], example: 'none' })
  flag: 'none' | 'watch' | 'alert';

  /**
   * Sends of the person's present day
   * @example 1
   */
  emailsSentToday: number;
}

/** What an account may send. */
export class AdminPlanDto {
  /**
   * The plan in force
   * @example 'pro'
   */
  plan: string;

  /** Where it comes from */
  @ApiProperty({ enum: ['manual', 'subscription', 'grace', 'referral', 'none'], example: 'subscription' })
  source: 'manual' | 'subscription' | 'grace' | 'referral' | 'none';

  /**
   * Until when; null: no end
   * @example '2026-12-05T10:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  until: string | null;

  /**
   * What the payment provider says of a paid plan
   * @example 'active'
   */
  @ApiProperty({ type: String, nullable: true })
  subscriptionStatus: string | null;

  /**
   * Sends a day; null: no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  dailyLimit: number | null;

  /**
   * Sends left today; null: no limit
   * @example 0
   */
  @ApiProperty({ type: Number, nullable: true })
  remainingToday: number | null;
}

/** An account with all that bears on a decision about it. */
export class AdminUserDetailDto extends AdminUserDto {
  /** Plan and limits */
  plan: AdminPlanDto;

  /**
   * Lists of its own
   * @example 3
   */
  totalLists: number;

  /**
   * Contacts on them
   * @example 412
   */
  totalContacts: number;

  /** How the person's mail is received */
  reputation: SenderReputationDto;

  /** Devices that are signed in */
  devices: DeviceSessionDto[];
}
