import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ReasonDto } from '../../../shared/http/index.js';

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
