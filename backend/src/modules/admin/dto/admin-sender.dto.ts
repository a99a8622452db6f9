import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { SenderReputationDto } from '../../bounces/index.js';

/** Filter of senders; `search` matches name and address. */
export class AdminSenderQuery extends PageQuery {
  /** flagged: only users whose complaint rate reaches the watch threshold */
  @ApiProperty({ enum: ['flagged'], required: false, example: 'flagged' })
  @IsOptional()
  @IsIn(['flagged'])
  only?: 'flagged';
}

/** A user with the bounce and complaint rates of their mail. */
export class AdminSenderDto extends SenderReputationDto {
  /**
   * The account's address
   * @example 'ann@acme-staffing.com'
   */
  email: string;

  /**
   * Full name
   * @example 'Ann Kumar'
   */
  name: string;

  /**
   * Whether the account is suspended
   * @example false
   */
  suspended: boolean;
}
