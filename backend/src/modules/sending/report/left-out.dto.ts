import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../../delivery/index.js';

/** Filters the people whom a send left out. `search` looks only at addresses that are not masked. */
export class LeftOutQuery extends PageQuery {
  /** Shows only people left out for this reason */
  @ApiPropertyOptional({ enum: LEFT_OUT_REASONS, example: 'companyCap' })
  @IsOptional()
  @IsIn(LEFT_OUT_REASONS, { message: 'Unknown reason' })
  reason?: LeftOutReason;
}

/** An address that a send left out, although the person agreed to such mail. */
export class LeftOutDto {
  /**
   * Position of the address among those that the send left out
   * @example '12'
   */
  id: string;

  /**
   * The address; masked if the send would reach it through the shared network only
   * @example 'jane@acme.example'
   */
  email: string;

  /** The reason */
  @ApiProperty({ enum: LEFT_OUT_REASONS, example: 'companyCap' })
  reason: LeftOutReason;

  /**
   * The reason in words
   * @example '2 others at acme.example get this send'
   */
  detail: string;
}
