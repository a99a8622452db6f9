import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { SenderReputationDto } from '../../sending/index.js';

/** Which senders are asked for; `search` looks into name and address. */
export class AdminSenderQuery extends PageQuery {
  /** flagged: only those above a threshold */
  @ApiProperty({ enum: ['flagged'], required: false, example: 'flagged' })
  @IsOptional()
  @IsIn(['flagged'])
  only?: 'flagged';
}

/** How a user's mail is received, and who that is. */
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
