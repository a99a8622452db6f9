import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsInt, Max, Min } from 'class-validator';
import { ROLES, type Role } from '../../../shared/enums.js';
import { AccountDto, DeviceSessionDto } from '../../auth/index.js';
import { SenderReputationDto } from '../../bounces/index.js';
import { PageQuery, ReasonDto } from '../../../shared/http/index.js';

/** An account as admins see it: without hashes, tokens and sessions. */
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

  /** The user's role */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * Whether the account is suspended
   * @example false
   */
  suspended: boolean;

  /**
   * When the account was suspended; null if it is not suspended
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  suspendedAt: string | null;

  /** Level of spam complaints about the user's mail: watch from 0.1 %, alert from 0.3 % of at least 1,000 mails */
  @ApiProperty({ enum: ['none', 'watch', 'alert'], example: 'none' })
  flag: 'none' | 'watch' | 'alert';

  /**
   * Number of the user's sends today
   * @example 1
   */
  emailsSentToday: number;
}

/** Plan and sending limits of an account. */
export class AdminPlanDto {
  /**
   * The current plan
   * @example 'pro'
   */
  plan: string;

  /** What grants the plan */
  @ApiProperty({ enum: ['manual', 'subscription', 'grace', 'referral', 'none'], example: 'subscription' })
  source: 'manual' | 'subscription' | 'grace' | 'referral' | 'none';

  /**
   * When the plan ends; null if it has no end
   * @example '2026-12-05T10:00:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  until: string | null;

  /**
   * Status of a paid plan at the payment provider; null without a paid plan
   * @example 'active'
   */
  @ApiProperty({ type: String, nullable: true })
  subscriptionStatus: string | null;

  /**
   * Sends allowed per day; null for no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  dailyLimit: number | null;

  /**
   * Sends left today; null for no limit
   * @example 0
   */
  @ApiProperty({ type: Number, nullable: true })
  remainingToday: number | null;
}

/** An account with everything that an admin needs for a decision about it. */
export class AdminUserDetailDto extends AdminUserDto {
  /** Plan and limits */
  plan: AdminPlanDto;

  /**
   * Number of the user's own lists
   * @example 3
   */
  totalLists: number;

  /**
   * Number of contacts on the user's own lists
   * @example 412
   */
  totalContacts: number;

  /** The user's sending reputation */
  reputation: SenderReputationDto;

  /** Devices that are signed in */
  devices: DeviceSessionDto[];
}

const flag = (name: string) =>
  Transform(({ obj }: { obj: Record<string, unknown> }) =>
    obj[name] === 'true' ? true : obj[name] === 'false' ? false : obj[name],
  );

/** Filter of accounts; `search` matches address, names and agency. */
export class AdminUserQuery extends PageQuery {
  /**
   * true: only admins; false: only users who are not admins
   * @example true
   */
  @IsOptional()
  @flag('isAdmin')
  @IsBoolean()
  isAdmin?: boolean;

  /**
   * true: only verified accounts; false: only unverified ones
   * @example true
   */
  @IsOptional()
  @flag('isVerified')
  @IsBoolean()
  isVerified?: boolean;

  /**
   * true: only suspended accounts; false: only accounts that are not suspended
   * @example false
   */
  @IsOptional()
  @flag('suspended')
  @IsBoolean()
  suspended?: boolean;

  /** Only users with this role */
  @ApiProperty({ enum: ROLES, required: false, example: 'recruiter' })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role;
}

/** Changes to an account; absent fields stay unchanged. */
export class ChangeUserDto extends ReasonDto {
  /**
   * Sends allowed per day; null for the plan's limit
   * @example 25
   */
  @ApiProperty({ type: Number, nullable: true, required: false, minimum: 0, maximum: 100_000 })
  @IsOptional()
  @Max(100_000, { message: 'The daily limit can be at most 100,000' })
  @Min(0, { message: 'The daily limit must be 0 or more' })
  @IsInt({ message: 'The daily limit must be a whole number' })
  customDailyLimit?: number | null;

  /**
   * true grants admin rights, false revokes them
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isAdmin?: boolean;

  /**
   * true suspends the account, false reinstates it
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  suspended?: boolean;
}

/** A user who waits for verification. */
export class PendingPersonDto {
  /**
   * The user's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

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

  /** The user's role */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * The current plan
   * @example 'free'
   */
  tier: string;

  /**
   * When the account was created
   * @example '2025-01-05T10:00:00.000Z'
   */
  createdAt: string;
}

/** Credentials of the user. */
export class PendingCredentialDto {
  /**
   * The unverified address
   * @example 'ann@acme-staffing.com'
   */
  email: string;
}

/** An unverified account. */
export class PendingUserDto {
  /** The user */
  user: PendingPersonDto;

  /** The sign-in credential */
  credential: PendingCredentialDto;
}
