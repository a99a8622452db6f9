import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsISO8601, IsOptional, Matches } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import {
  HISTORY_STATUSES,
  type HistoryStatus,
  SEND_STOPS,
  type SendStop,
  SEND_TYPES,
  type SendType,
} from '../../../shared/enums.js';

const DATE = { message: 'Please give the date as YYYY-MM-DD' };

const HISTORY_FILTERS = [...HISTORY_STATUSES, 'cancelled'] as const;
export type HistoryFilter = (typeof HISTORY_FILTERS)[number];

/** Filter and order of sends. `sort` takes sentAt, subject and recipients, with a leading minus for descending. */
export class HistoryQuery extends PageQuery {
  /** Only sends of this type. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Unknown email type' })
  type?: SendType;

  /** Only sends with this status. A cancelled send that has ended matches only `cancelled`. */
  @ApiProperty({ enum: HISTORY_FILTERS, required: false, example: 'sent' })
  @IsOptional()
  @IsIn(HISTORY_FILTERS, { message: 'Unknown status' })
  status?: HistoryFilter;

  /** Only sends on or after this day, in the caller's time zone. */
  @ApiProperty({ type: String, format: 'date', required: false, example: '2026-11-01' })
  @IsOptional()
  @Matches(/^(19|20)\d\d-\d\d-\d\d$/, DATE)
  @IsISO8601({ strict: true }, DATE)
  from?: string;

  /** Only sends on or before this day, in the caller's time zone. */
  @ApiProperty({ type: String, format: 'date', required: false, example: '2026-11-21' })
  @IsOptional()
  @Matches(/^(19|20)\d\d-\d\d-\d\d$/, DATE)
  @IsISO8601({ strict: true }, DATE)
  to?: string;

  /** true adds to each send the names of its lists and the outcome of its messages so far. */
  @ApiProperty({ enum: ['true'], required: false, example: 'true' })
  @IsOptional()
  @IsIn(['true'])
  outcome?: 'true';
}

/** Data of a send that both users and admins see. */
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

  /** Type of the send. */
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

  /**
   * pending until the last recipient is settled; sent if mail servers accepted at least one message; failed if they
   * accepted none.
   */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'sent' })
  status: HistoryStatus;
}

/** A send in the history. */
export class HistoryItemDto extends SendFactsDto {
  /** Set if the sender paused or cancelled the send. After a cancellation, the remaining recipients are skipped. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;
}

/** Outcome of a send's messages so far, in short. */
export class HistoryOutcomeDto {
  /**
   * Messages that mail servers accepted, plus those whose outcome is unknown (`unconfirmed`).
   * @example 118
   */
  sent: number;

  /**
   * Part of `sent` without a final reply of the mail server.
   * @example 2
   */
  unconfirmed: number;

  /**
   * Permanently refused messages.
   * @example 1
   */
  failed: number;

  /**
   * Messages that bounced after acceptance.
   * @example 1
   */
  bounced: number;
}

/** A row of the history. */
export class HistoryRowDto extends HistoryItemDto {
  /** Outcome of the send's messages so far, if requested. */
  outcome?: HistoryOutcomeDto;

  /**
   * Names of the send's lists when it was accepted, if requested.
   * @example ['Java vendors']
   */
  lists?: string[];
}

/** A list that a send went to. */
export class HistoryListDto {
  /** Id of the list; null once the list is deleted. */
  @ApiProperty({ type: String, nullable: true, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  id: string | null;

  /**
   * Name of the list when the send was accepted.
   * @example 'Java developers'
   */
  name: string;
}

/** Number of sends today of the signed-in user, in the user's time zone. */
export class UsageTodayDto {
  /**
   * Number of sends today, as a numeric string.
   * @example '1'
   */
  emailsSent: string;
}
