import { IsIn, IsOptional, IsString, MaxLength, MinLength } from 'class-validator';
import { AbsentIfEmpty } from '../../../shared/http/requests/text.decorators.js';
import { ROLES, type Role } from '../../../shared/enums.js';
import { EmailField, LineField, NameField, NewPasswordField, TimeZoneField } from '../fields.js';

/** A new account. */
export class RegisterDto {
  /**
   * The account's address
   * @example "ann@acme-staffing.com"
   */
  @EmailField()
  email: string;

  /**
   * 8 to 256 characters, not a common password
   * @example "correct horse battery"
   */
  @NewPasswordField()
  password: string;

  /**
   * First name
   * @example "Ann"
   */
  @NameField('First name is required')
  firstName: string;

  /**
   * Last name
   * @example "Kumar"
   */
  @NameField('Last name is required')
  lastName: string;

  /**
   * The user's role
   * @example "recruiter"
   */
  @IsIn(ROLES, { message: 'Please select a role' })
  role: Role;

  /**
   * The user's agency
   * @example "Acme Staffing"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @LineField(200)
  agencyName?: string;

  /**
   * A user's referral code, or the token of an invite. An unknown one is ignored
   * @example "K7QW2M9XPA"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @IsString()
  referralCode?: string;

  /**
   * IANA time zone in which the user's day begins and ends; default: UTC
   * @example "America/New_York"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @TimeZoneField()
  timeZone?: string;
}

/** Address and password of an account. */
export class LoginDto {
  /**
   * The account's address
   * @example "ann@acme-staffing.com"
   */
  @EmailField()
  email: string;

  /**
   * The password
   * @example "correct horse battery"
   */
  @MaxLength(256, { message: 'Invalid email or password' })
  @MinLength(1, { message: 'Password is required' })
  @IsString({ message: 'Password is required' })
  password: string;
}
