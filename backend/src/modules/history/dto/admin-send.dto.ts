import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/enums.js';
import { SendFactsDto } from './history.dto.js';

/** Filter of sends of all users. */
export class AdminSendQuery extends PageQuery {
  /**
   * Only sends of this user
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'userId must be the id of a user' })
  userId?: string;

  /** Only sends with this status */
  @ApiProperty({ enum: HISTORY_STATUSES, required: false, example: 'pending' })
  @IsOptional()
  @IsIn(HISTORY_STATUSES, { message: 'Unknown status' })
  status?: HistoryStatus;

  /**
   * Only sends of today, in the caller's time zone
   * @example true
   */
  @IsOptional()
  @Transform(({ obj }: { obj: Record<string, unknown> }) =>
    obj['today'] === 'true' ? true : obj['today'] === 'false' ? false : obj['today'],
  )
  @IsBoolean()
  today?: boolean;
}

/** A send of any user. */
export class AdminSendDto extends SendFactsDto {
  /**
   * Id of the sender
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  userId: string;

  /**
   * The sender's name when the send was accepted
   * @example 'Ann Kumar'
   */
  senderName: string;

  /**
   * The sender's address
   * @example 'ann@acme-staffing.com'
   */
  senderEmail: string;

  /**
   * Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`)
   * @example 118
   */
  sent: number;

  /**
   * Permanently refused messages
   * @example 1
   */
  failed: number;

  /**
   * Bounced messages
   * @example 1
   */
  bounced: number;

  /**
   * Messages reported as spam
   * @example 0
   */
  complained: number;
}

/** Today's totals over all users. */
export class SendsTodayDto {
  /**
   * Number of sends
   * @example 42
   */
  sends: number;

  /**
   * Number of users who sent an email
   * @example 31
   */
  senders: number;

  /**
   * Recipients of those sends
   * @example 8400
   */
  recipients: number;

  /**
   * Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`)
   * @example 8310
   */
  sent: number;

  /**
   * Permanently refused messages
   * @example 12
   */
  failed: number;

  /**
   * Messages not sent because the recipient was no longer mailable
   * @example 4
   */
  skipped: number;

  /**
   * Bounced messages
   * @example 9
   */
  bounced: number;

  /**
   * Messages reported as spam
   * @example 1
   */
  complained: number;
}
