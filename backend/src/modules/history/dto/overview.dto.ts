import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/words/history-status.js';
import { SendFactsDto } from './history.dto.js';

/** Which sends of all users are asked for. */
export class OverseenSendQuery extends PageQuery {
  /**
   * Only those of this user
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'userId must be the id of a user' })
  userId?: string;

  /** Only those with this status */
  @ApiProperty({ enum: HISTORY_STATUSES, required: false, example: 'pending' })
  @IsOptional()
  @IsIn(HISTORY_STATUSES, { message: 'Unknown status' })
  status?: HistoryStatus;

  /**
   * Only today's, by the caller's time zone
   * @example true
   */
  @IsOptional()
  @Transform(({ obj }: { obj: Record<string, unknown> }) => (obj['today'] === 'true' ? true : obj['today'] === 'false' ? false : obj['today']))
  @IsBoolean()
  today?: boolean;
}

/** A send of some user. */
export class OverseenSendDto extends SendFactsDto {
  /**
   * Who sent it
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  userId: string;

  /**
   * The sender's name as it was
   * @example 'Ann Kumar'
   */
  senderName: string;

  /**
   * The sender's address
   * @example 'ann@acme-staffing.com'
   */
  senderEmail: string;

  /**
   * Messages that mail servers took, or may have taken
   * @example 118
   */
  sent: number;

  /**
   * Messages that were refused for good
   * @example 1
   */
  failed: number;

  /**
   * Messages that came back
   * @example 1
   */
  bounced: number;

  /**
   * Messages that were reported as spam
   * @example 0
   */
  complained: number;
}

/** What all users together sent today. */
export class SendsTodayDto {
  /**
   * Sends
   * @example 42
   */
  sends: number;

  /**
   * People who sent
   * @example 31
   */
  senders: number;

  /**
   * Recipients of those sends
   * @example 8400
   */
  recipients: number;

  /**
   * Messages that mail servers took, or may have taken
   * @example 8310
   */
  sent: number;

  /**
   * Messages that were refused for good
   * @example 12
   */
  failed: number;

  /**
   * Messages that were not sent any more when their turn came
   * @example 4
   */
  skipped: number;

  /**
   * Messages that came back
   * @example 9
   */
  bounced: number;

  /**
   * Messages that were reported as spam
   * @example 1
   */
  complained: number;
}
