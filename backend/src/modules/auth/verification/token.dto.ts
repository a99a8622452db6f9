import { IsString, MaxLength, MinLength } from 'class-validator';
import { MessageDto } from '../../../shared/http/responses/message.dto.js';

/** Token of a mailed link. */
export class TokenDto {
  /**
   * Token from the link's query
   * @example "q0Zb9p5sZ1rB7f2m4VtXk8n3c6y0u1w5e9a2d7g4h1s"
   */
  @MaxLength(200, { message: 'Verification failed. The link may be expired or invalid.' })
  @MinLength(1, { message: 'No verification token provided' })
  @IsString({ message: 'No verification token provided' })
  token: string;
}

/** Whether a verification mail was sent again. */
export class ResentDto extends MessageDto {
  /**
   * Whether a mail was sent; false if the address is already verified
   * @example true
   */
  sent: boolean;
}
