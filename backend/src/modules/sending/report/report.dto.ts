import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import {
  DELIVERY_STATUSES,
  type DeliveryStatus,
  HISTORY_STATUSES,
  type HistoryStatus,
  SEND_STOPS,
  type SendStop,
} from '../../../shared/enums.js';
import { DocumentDto, JobDto, SentFileDto } from '../../composing/index.js';
import { HistoryItemDto, HistoryListDto } from '../../history/index.js';

/** Number of a send's recipients, by status. */
export class DeliveryCountsDto {
  /**
   * Waiting, being sent, or deferred.
   * @example 12
   */
  queued: number;

  /**
   * Accepted by the mail server.
   * @example 100
   */
  sent: number;

  /**
   * Sent, but the mail server gave no final reply: probably delivered.
   * @example 0
   */
  unconfirmed: number;

  /**
   * Refused permanently.
   * @example 3
   */
  failed: number;

  /**
   * Could no longer be mailed at the time of sending.
   * @example 1
   */
  skipped: number;

  /**
   * Bounced after the mail server had accepted it.
   * @example 2
   */
  bounced: number;

  /**
   * Reported as spam.
   * @example 0
   */
  complained: number;

  /**
   * Unsubscribed through this message.
   * @example 1
   */
  unsubscribed: number;
}

/** Counts for the page of one send: by status, and how many people were left out. */
export class SendCountsDto extends DeliveryCountsDto {
  /**
   * People of the chosen audience who were left out because of do-not-send rules, exclusions or caps.
   * @example 10
   */
  leftOut: number;
}

/** A list or segment that a send named. */
export class NamedChoiceDto {
  /**
   * Id of the list or segment
   * @example '7c0f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * Name at the time of the send
   * @example 'Java vendors in Texas'
   */
  name: string;
}

/** The audience of a send that was sent to more than plain lists. */
export class SentAudienceDto {
  /** Chosen segments. */
  segments: NamedChoiceDto[];

  /** Excluded lists. */
  excludedLists: NamedChoiceDto[];

  /** Excluded segments. */
  excludedSegments: NamedChoiceDto[];

  /**
   * Excluded addresses and domains.
   * @example ['client.example']
   */
  excludedAddresses: string[];

  /** Maximum number of people per company; null: no limit. */
  @ApiProperty({ type: Number, nullable: true, example: 2 })
  perCompany: number | null;

  /** When the audience was frozen; null: a worker still has to do it. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-23T10:04:11.000Z' })
  frozenAt: string | null;

  /** Why the audience could not be frozen, so that nobody was mailed. Null if it was frozen, or still has to be. */
  @ApiProperty({ type: String, nullable: true, example: null })
  failure: string | null;
}

/** Tells that a running send waits because its attached files cannot be read. */
export class FilesWaitDto {
  /**
   * Since when the files cannot be read.
   * @example '2026-11-28T09:00:00.000Z'
   */
  since: string;

  /**
   * When the rest of the send is given up, because a file is missing in the file storage; null if the storage just does
   * not answer.
   */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-29T09:00:00.000Z' })
  givenUpAt: string | null;
}

/** A send with its message, lists and counts. */
export class HistoryEntryDto extends HistoryItemDto {
  /**
   * The message as entered. For a rich text, the text derived from it, with merge tags as typed.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  content: string;

  /**
   * Line that inboxes showed after the subject, with merge tags as typed; empty if there was none.
   * @example 'Hybrid, $60/hr on C2C, starts in December'
   */
  preheader: string;

  /** The message as a rich text; null if it was written as plain text. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  document: DocumentDto | null;

  /** The job that the message offered; null if there was none. */
  @ApiProperty({ type: JobDto, nullable: true })
  job: JobDto | null;

  /** Files that went with the message. Files that were deleted since have no name. */
  files: SentFileDto[];

  /** Set while the send waits for its attached files. Null if it does not wait, or is paused, cancelled or over. */
  @ApiProperty({ type: FilesWaitDto, nullable: true })
  filesWait: FilesWaitDto | null;

  /**
   * The HTML part of the message, with merge tags as typed. Its unsubscribe link does not work.
   * @example '<!doctype html><html><body>We are looking for a senior Java developer in Austin.</body></html>'
   */
  html: string;

  /** Lists of the send, with their names at the time. */
  lists: HistoryListDto[];

  /** Number of recipients by status. */
  counts: SendCountsDto;

  /** The audience; null if the send went to plain lists. */
  @ApiProperty({ type: SentAudienceDto, nullable: true })
  audience: SentAudienceDto | null;

  /**
   * Number of recipients who may be tried again: delivery to them failed temporarily, or was skipped because an
   * attached file was lost that is stored again by now. 0 if an attached file is not stored. If it is above 2,000, the
   * number includes people who have unsubscribed since.
   * @example 2
   */
  retryable: number;
}

/**
 * An event of the progress stream: the counts, and the status of the send. The stream ends once the status is not
 * `pending`.
 */
export class SendProgressDto extends DeliveryCountsDto {
  /** Status of the send. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'pending' })
  status: HistoryStatus;

  /** Set if the sender has paused or cancelled the send. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;
}

/** Filters of the delivery log: a status, or `unsubscribed` for recipients who unsubscribed through this message. */
export const DELIVERY_FILTERS = [...DELIVERY_STATUSES, 'unsubscribed'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** Filters a send's deliveries. `search` looks only at addresses that are not masked. */
export class DeliveryQuery extends PageQuery {
  /**
   * Shows only deliveries with this status; `unsubscribed` shows those whose recipient unsubscribed through this
   * message.
   */
  @ApiProperty({ enum: DELIVERY_FILTERS, required: false, example: 'failed' })
  @IsOptional()
  @IsIn(DELIVERY_FILTERS, { message: 'Unknown status' })
  status?: DeliveryFilter;
}

/** One message to one recipient. */
export class DeliveryDto {
  /**
   * Id of the delivery
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * The recipient's address; masked if the send reached it through the shared network only.
   * @example 'jane@example.com'
   */
  recipientEmail: string;

  /** Status of the delivery. */
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'sent' })
  status: DeliveryStatus;

  /** Message-ID of the mail; null until it is sent. */
  @ApiProperty({ type: String, nullable: true, example: '<5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d@example.com>' })
  messageId: string | null;

  /** When the mail server accepted it. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  sentAt: string | null;

  /** What happened, in words. */
  @ApiProperty({ type: String, nullable: true, example: 'The mailbox does not exist' })
  detail: string | null;

  /** The mail server's reply; only its code if the address is masked. */
  @ApiProperty({ type: String, nullable: true, example: '550 5.1.1 no such user' })
  said: string | null;

  /**
   * Whether the message may have arrived twice, because it was sent again after an interruption.
   * @example false
   */
  possibleDuplicate: boolean;

  /** When the recipient unsubscribed through this message. */
  @ApiProperty({ type: String, nullable: true, example: null })
  unsubscribedAt: string | null;

  /** When the next attempt takes place; null unless the delivery is deferred. */
  @ApiProperty({ type: String, nullable: true, example: null })
  nextAttemptAt: string | null;
}
