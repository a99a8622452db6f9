import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../../delivery/index.js';

/** Filter of the people whom a send left out; `search` looks in the addresses that are not masked. */
export class LeftOutQuery extends PageQuery {
  /** Only those left out for this reason */
  @ApiPropertyOptional({ enum: LEFT_OUT_REASONS, example: 'companyCap' })
  @IsOptional()
  @IsIn(LEFT_OUT_REASONS, { message: 'Unknown reason' })
  reason?: LeftOutReason;
}

/** An address that a send was not sent to, although the person agreed to such mail. */
export class LeftOutDto {
  /**
   * Its place among those of the send
   * @example '12'
   */
  id: string;

  /**
   * The address; masked when it was reached through the shared network only
   * @example 'jane@acme.example'
   */
  email: string;

  /** Why */
  @ApiProperty({ enum: LEFT_OUT_REASONS, example: 'companyCap' })
  reason: LeftOutReason;

  /**
   * Why, in words
   * @example '2 others at acme.example get this send'
   */
  detail: string;
}
