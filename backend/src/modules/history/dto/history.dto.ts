import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/words/history-status.js';
import { SEND_STOPS, type SendStop } from '../../../shared/words/send-stop.js';
import { SEND_TYPES, type SendType } from '../../../shared/words/send-type.js';

/** Which sends are asked for. */
export class HistoryQuery extends PageQuery {
  /** Only sends of this type. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Unknown email type' })
  type?: SendType;

  /** Only sends with this status. */
  @ApiProperty({ enum: HISTORY_STATUSES, required: false, example: 'sent' })
  @IsOptional()
  @IsIn(HISTORY_STATUSES, { message: 'Unknown status' })
  status?: HistoryStatus;

  /** true adds to each send what became of its messages so far. */
  @ApiProperty({ enum: ['true'], required: false, example: 'true' })
  @IsOptional()
  @IsIn(['true'])
  outcome?: 'true';
}

/** A send, to whoever looks at it. */
export class SendFactsDto {
  /**
   * Id of the send.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * Subject line.
   * @example 'Senior Java developer, Austin TX'
   */
  subject: string;

  /** What was sent. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /**
   * When the send was accepted.
   * @example '2026-11-21T06:30:00.000Z'
   */
  sentAt: string;

  /** pending until the last recipient is settled; sent when the mail server accepted at least one; failed when it accepted none. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'sent' })
  status: HistoryStatus;
}

/** One send in the history. */
export class HistoryItemDto extends SendFactsDto {
  /** What its sender did to it: paused for now, or cancelled, so that who had not been mailed by then was skipped. Absent otherwise. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;
}

/** What became of a send's messages so far, in short. */
export class HistoryOutcomeDto {
  /**
   * Taken by the mail server, or most likely so.
   * @example 118
   */
  sent: number;

  /**
   * Refused for good.
   * @example 1
   */
  failed: number;

  /**
   * Came back later.
   * @example 1
   */
  bounced: number;
}

/** One send in the list of them. */
export class HistoryRowDto extends HistoryItemDto {
  /** What became of its messages so far, where asked for. */
  outcome?: HistoryOutcomeDto;
}

/** A list that a send went to. */
export class HistoryListDto {
  /** Id of the list; null once the list is deleted. */
  @ApiProperty({ type: String, nullable: true, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  id: string | null;

  /**
   * Name of the list as it was.
   * @example 'Java developers'
   */
  name: string;
}
