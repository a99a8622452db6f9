import { IsString, MaxLength, MinLength } from 'class-validator';
import { EmailField } from './fields.js';

/** An address and its password. */
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
