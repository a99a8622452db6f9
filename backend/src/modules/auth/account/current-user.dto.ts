import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../shared/enums.js';

/** What the account may do, and what is left of it today. */
export class EntitlementsDto {
  /**
   * The current plan
   * @example "free"
   */
  plan: string;

  /**
   * Sends a day; null: no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  dailyLimit: number | null;

  /**
   * The user's sends today
   * @example 0
   */
  sentToday: number;

  /**
   * Scheduled sends that hold a place of today
   * @example 0
   */
  scheduledToday: number;

  /**
   * Sends left today, without the places that scheduled sends hold; null: no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  remainingToday: number | null;
}

/** An account as its owner and admins see it. */
export class AccountDto {
  /**
   * The user's id
   * @example "0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  id: string;

  /**
   * The account's address
   * @example "ann@acme-staffing.com"
   */
  email: string;

  /**
   * The user's agency
   * @example "Acme Staffing"
   */
  @ApiProperty({ type: String, nullable: true })
  agencyName: string | null;

  /**
   * Path of the profile picture
   * @example "/api/avatars/0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10"
   */
  @ApiProperty({ type: String, nullable: true })
  profileImageUrl: string | null;

  /**
   * free, pro or another
   * @example "free"
   */
  tier: string;

  /**
   * Sends a day set for this account; null: the plan's
   * @example 25
   */
  @ApiProperty({ type: Number, nullable: true })
  customDailyLimit: number | null;

  /**
   * Whether the user is an admin
   * @example false
   */
  isAdmin: boolean;

  /**
   * Whether the address is verified
   * @example true
   */
  isVerified: boolean;

  /**
   * Free months earned, as a numeric string
   * @example "0"
   */
  referralCreditsMonths: string;

  /**
   * IANA time zone of the user's days
   * @example "America/New_York"
   */
  timeZone: string;

  /**
   * When the account was created
   * @example "2025-01-05T10:00:00.000Z"
   */
  createdAt: string;
}

/** The signed-in user. */
export class CurrentUserDto extends AccountDto {
  /**
   * First name
   * @example "Ann"
   */
  @ApiProperty({ type: String, nullable: true })
  firstName: string | null;

  /**
   * Last name
   * @example "Kumar"
   */
  @ApiProperty({ type: String, nullable: true })
  lastName: string | null;

  /**
   * The user's role
   * @example "recruiter"
   */
  @ApiProperty({ enum: ROLES, nullable: true })
  role: Role | null;

  /** What the account may do */
  entitlements: EntitlementsDto;
}

/** Answer to a sign-in. */
export class SignedInDto {
  /**
   * Readable text
   * @example "You are now logged in"
   */
  message: string;

  /** Who is signed in now */
  user: CurrentUserDto;
}

/** A token for scripts and Swagger UI. */
export class AccessTokenDto {
  /**
   * Goes into the Authorization header, after "Bearer "
   * @example "eyJhbGciOiJIUzI1NiJ9.e30.x"
   */
  accessToken: string;

  /**
   * Seconds until it expires
   * @example 900
   */
  expiresIn: number;
}
