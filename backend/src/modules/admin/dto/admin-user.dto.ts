import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { PageQuery, ReasonDto } from '../../../shared/http/index.js';
import { ROLES, type Role } from '../../../shared/words/role.js';
import { DeviceSessionDto } from '../../auth/index.js';
import { SenderReputationDto } from '../../sending/index.js';

const flag = (name: string) => Transform(({ obj }: { obj: Record<string, unknown> }) => (obj[name] === 'true' ? true : obj[name] === 'false' ? false : obj[name]));

/** Which accounts are asked for; `search` looks into address, names and agency. */
export class AdminUserQuery extends PageQuery {
  /**
   * Only admins, or only others
   * @example true
   */
  @IsOptional()
  @flag('isAdmin')
  @IsBoolean()
  isAdmin?: boolean;

  /**
   * Only verified ones, or only others
   * @example true
   */
  @IsOptional()
  @flag('isVerified')
  @IsBoolean()
  isVerified?: boolean;

  /**
   * Only suspended ones, or only others
   * @example false
   */
  @IsOptional()
  @flag('suspended')
  @IsBoolean()
  suspended?: boolean;

  /** Only people in this role */
  @ApiProperty({ enum: ROLES, required: false, example: 'recruiter' })
  @IsOptional()
  @IsIn(ROLES)
  role?: Role;
}

/** An account as an admin sees it: no hash, no token, no session. */
export class AdminUserDto {
  /**
   * The user's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /**
   * The account's address
   * @example 'ann@acme-staffing.com'
   */
  email: string;

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

  /**
   * Whom the person works for
   * @example 'Acme Staffing'
   */
  @ApiProperty({ type: String, nullable: true })
  agencyName: string | null;

  /**
   * Path of the profile picture
   * @example '/api/avatars/0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @ApiProperty({ type: String, nullable: true })
  profileImageUrl: string | null;

  /** What the person does */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * The plan in force
   * @example 'free'
   */
  tier: string;

  /**
   * Sends a day set for this account; null: the plan's
   * @example 25
   */
  @ApiProperty({ type: Number, nullable: true })
  customDailyLimit: number | null;

  /**
   * Whether the person runs the product
   * @example false
   */
  isAdmin: boolean;

  /**
   * Whether the address is proved
   * @example true
   */
  isVerified: boolean;

  /**
   * Free months earned, a number in text
   * @example '0'
   */
  referralCreditsMonths: string;

  /**
   * IANA zone in which the person's days are counted
   * @example 'America/New_York'
   */
  timeZone: string;

  /**
   * When the account was made
   * @example '2025-01-05T10:00:00.000Z'
   */
  createdAt: string;

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

/** What to change of an account; what is absent stays. */
export class ChangeUserDto extends ReasonDto {
  /**
   * Sends a day; null: the plan's
   * @example 25
   */
  @ApiProperty({ type: Number, nullable: true, required: false, minimum: 0, maximum: 100_000 })
  @IsOptional()
  @Max(100_000, { message: 'The daily limit can be at most 100,000' })
  @Min(0, { message: 'The daily limit must be 0 or more' })
  @IsInt({ message: 'The daily limit must be a whole number' })
  customDailyLimit?: number | null;

  /**
   * Grants or revokes admin rights
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isAdmin?: boolean;

  /**
   * Suspends or reinstates
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  suspended?: boolean;
}

/** Who waits for verification. */
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

  /** What the person does */
  @ApiProperty({ enum: ROLES, example: 'recruiter' })
  role: Role;

  /**
   * The plan in force
   * @example 'free'
   */
  tier: string;

  /**
   * When the account was made
   * @example '2025-01-05T10:00:00.000Z'
   */
  createdAt: string;
}

/** With what the person signs in. */
export class PendingCredentialDto {
  /**
   * The address that is not proved yet
   * @example 'ann@acme-staffing.com'
   */
  email: string;
}

/** An account that nobody has verified yet. */
export class PendingUserDto {
  /** Who */
  user: PendingPersonDto;

  /** How the person signs in */
  credential: PendingCredentialDto;
}
