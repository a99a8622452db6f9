import { ApiProperty } from '@nestjs/swagger';
import { ROLES, type Role } from '../../../shared/enums.js';

/** What the account may do, and how many sends it has left today. */
export class EntitlementsDto {
  /**
   * The current plan
   * @example "free"
   */
  plan: string;

  /**
   * Maximum number of sends per day; null: no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  dailyLimit: number | null;

  /**
   * Number of sends today
   * @example 0
   */
  sentToday: number;

  /**
   * Number of scheduled sends that are due today and count towards the limit
   * @example 0
   */
  scheduledToday: number;

  /**
   * Number of sends left today, after those that are scheduled for today; null: no limit
   * @example 1
   */
  @ApiProperty({ type: Number, nullable: true })
  remainingToday: number | null;
}

/** An account, as its owner and admins see it. */
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
   * The current plan: free, pro or another
   * @example "free"
   */
  tier: string;

  /**
   * Maximum number of sends per day that an admin set for this account; null: the plan's limit applies
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
   * Number of unused free months, as a numeric string
   * @example "0"
   */
  referralCreditsMonths: string;

  /**
   * IANA time zone in which the user's day begins and ends
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

  /** What the account may do now */
  entitlements: EntitlementsDto;
}

/** Response to a sign-in. */
export class SignedInDto {
  /**
   * Readable text
   * @example "You are now logged in"
   */
  message: string;

  /** The user who is signed in now */
  user: CurrentUserDto;
}

/** An access token for scripts and Swagger UI. */
export class AccessTokenDto {
  /**
   * Token for the Authorization header, to be put after "Bearer "
   * @example "eyJhbGciOiJIUzI1NiJ9.e30.x"
   */
  accessToken: string;

  /**
   * Seconds until the token expires
   * @example 900
   */
  expiresIn: number;
}
