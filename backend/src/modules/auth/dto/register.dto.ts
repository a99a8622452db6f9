import { IsIn, IsOptional, IsString } from 'class-validator';
import { AbsentIfEmpty } from '../../../shared/http/text.decorators.js';
import { ROLES, type Role } from '../../../shared/words/role.js';
import { EmailField, LineField, NameField, NewPasswordField, TimeZoneField } from './fields.js';

/** A new account. */
export class RegisterDto {
  /**
   * Where the account's mail goes
   * @example "ann@acme-staffing.com"
   */
  @EmailField()
  email: string;

  /**
   * 8 to 256 characters, and none of the commonest passwords
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
   * What the person does
   * @example "recruiter"
   */
  @IsIn(ROLES, { message: 'Please select a role' })
  role: Role;

  /**
   * Whom the person works for
   * @example "Acme Staffing"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @LineField(200)
  agencyName?: string;

  /**
   * A user's referral code or an invite's token; a wrong one does no harm
   * @example "K7QW2M9XPA"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @IsString()
  referralCode?: string;

  /**
   * IANA zone in which the person's days are counted; UTC when absent
   * @example "America/New_York"
   */
  @AbsentIfEmpty()
  @IsOptional()
  @TimeZoneField()
  timeZone?: string;
}
