import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { ONE_LINE, ONE_LINE_FAULT } from '../../text/one-line.js';
import { AbsentIfEmpty } from './text.decorators.js';

/** Reason for an admin action, stored in the audit trail. */
export class ReasonDto {
  /**
   * Reason, stored in the audit trail
   * @example 'Asked by phone'
   */
  @IsOptional()
  @Matches(ONE_LINE, { message: ONE_LINE_FAULT })
  @MaxLength(300)
  @IsString()
  @AbsentIfEmpty()
  reason?: string;
}
