import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { DELIVERY_STATUSES, type DeliveryStatus } from '../../../shared/words/delivery-status.js';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/words/history-status.js';
import { SEND_STOPS, type SendStop } from '../../../shared/words/send-stop.js';
import { HistoryItemDto, HistoryListDto } from '../../history/index.js';

/** How many recipients of a send stand where. */
export class DeliveryCountsDto {
  /**
   * Waiting, being sent or deferred.
   * @example 12
   */
  queued: number;

  /**
   * Accepted by the mail server.
   * @example 100
   */
  sent: number;

  /**
   * Handed over without an answer: most likely arrived.
   * @example 0
   */
  unconfirmed: number;

  /**
   * Refused for good.
   * @example 3
   */
  failed: number;

  /**
   * No longer mailable when their turn came.
   * @example 1
   */
  skipped: number;

  /**
   * Came back later.
   * @example 2
   */
  bounced: number;

  /**
   * Reported as spam.
   * @example 0
   */
  complained: number;

  /**
   * Left because of this message.
   * @example 1
   */
  unsubscribed: number;
}

/** One send with its message, lists and counts. */
export class HistoryEntryDto extends HistoryItemDto {
  /**
   * The message as it was written.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  content: string;

  /**
   * The HTML part as recipients got it; its unsubscribe link leads nowhere.
   * @example '<!doctype html><html><body>We are looking for a senior Java developer in Austin.</body></html>'
   */
  html: string;

  /** The lists it went to, with their names as they were. */
  lists: HistoryListDto[];

  /** How many recipients stand where. */
  counts: DeliveryCountsDto;

  /**
   * Recipients that failed for a temporary reason and may be tried again; over 2,000 those who left since are counted too.
   * @example 2
   */
  retryable: number;
}

/** An event of the progress stream: the counts, and the status of the send; the stream ends when it is no longer pending. */
export class SendProgressDto extends DeliveryCountsDto {
  /** Status of the send. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'pending' })
  status: HistoryStatus;

  /** What its sender did to it, if anything. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;
}

/** What the delivery log can be narrowed to: a status, or those who left because of this message. */
export const DELIVERY_FILTERS = [...DELIVERY_STATUSES, 'unsubscribed'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** Which deliveries of a send are asked for; `search` looks in the addresses that are not masked. */
export class DeliveryQuery extends PageQuery {
  /** Only deliveries with this status; unsubscribed: those who left because of this message. */
  @ApiProperty({ enum: DELIVERY_FILTERS, required: false, example: 'failed' })
  @IsOptional()
  @IsIn(DELIVERY_FILTERS, { message: 'Unknown status' })
  status?: DeliveryFilter;
}

/** One message to one recipient. */
export class DeliveryDto {
  /**
   * Address of the recipient; masked when it was reached through the shared network only.
   * @example 'jane@example.com'
   */
  recipientEmail: string;

  /** Where it stands. */
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'sent' })
  status: DeliveryStatus;

  /** Message-ID of the mail, once it was handed over. */
  @ApiProperty({ type: String, nullable: true, example: '<5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d@example.com>' })
  messageId: string | null;

  /** When the mail server accepted it. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  sentAt: string | null;

  /** What happened, in words. */
  @ApiProperty({ type: String, nullable: true, example: 'The mailbox does not exist' })
  detail: string | null;

  /** What the mail server said; its code alone where the address is masked. */
  @ApiProperty({ type: String, nullable: true, example: '550 5.1.1 no such user' })
  said: string | null;

  /**
   * It may have arrived twice: it was sent again after an interruption.
   * @example false
   */
  possibleDuplicate: boolean;

  /** When the recipient left because of this message. */
  @ApiProperty({ type: String, nullable: true, example: null })
  unsubscribedAt: string | null;

  /** When it is tried again, while it is deferred. */
  @ApiProperty({ type: String, nullable: true, example: null })
  nextAttemptAt: string | null;
}
