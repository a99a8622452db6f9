import { IsString, MaxLength, MinLength } from 'class-validator';
import { EmailField, NewPasswordField } from '../fields.js';

/** Address of the account. */
export class ForgotPasswordDto {
  /**
   * The account's address
   * @example "ann@acme-staffing.com"
   */
  @EmailField()
  email: string;
}

/** A mailed token and the new password. */
export class ResetPasswordDto {
  /**
   * Token from the link's query
   * @example "q0Zb9p5sZ1rB7f2m4VtXk8n3c6y0u1w5e9a2d7g4h1s"
   */
  @MaxLength(200, { message: 'This link is no longer valid. Please ask for a new one.' })
  @MinLength(1, { message: 'Reset token is required' })
  @IsString({ message: 'Reset token is required' })
  token: string;

  /**
   * 8 to 256 characters, not a common password
   * @example "correct horse battery"
   */
  @NewPasswordField()
  password: string;
}

/** The current and the new password. */
export class ChangePasswordDto {
  /**
   * The current password
   * @example "correct horse battery"
   */
  @MaxLength(256, { message: 'Your current password is not right' })
  @MinLength(1, { message: 'Password is required' })
  @IsString({ message: 'Password is required' })
  currentPassword: string;

  /**
   * 8 to 256 characters, not a common password
   * @example "a longer horse battery"
   */
  @NewPasswordField()
  newPassword: string;
}

/** Asks for the password, to confirm an irreversible action. */
export class DeleteAccountDto {
  /**
   * The current password
   * @example "correct horse battery"
   */
  @MaxLength(256, { message: 'The password is not right' })
  @MinLength(1, { message: 'Password is required' })
  @IsString({ message: 'Password is required' })
  password: string;
}
