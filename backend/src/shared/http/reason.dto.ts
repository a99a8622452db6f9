import { IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { AbsentIfEmpty } from './text.decorators.js';

/** Why an act was done; it stands in the audit trail. */
export class ReasonDto {
  /**
   * Why, for the record
   * @example 'Asked by phone'
   */
  @IsOptional()
  @Matches(/^[^\p{Cc}\u2028\u2029]*$/u, { message: 'reason must not contain line breaks' })
  @MaxLength(300)
  @IsString()
  @AbsentIfEmpty()
  reason?: string;
}
