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

/** Numbers of a send's recipients by status. */
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
   * Sent without a final reply: probably delivered.
   * @example 0
   */
  unconfirmed: number;

  /**
   * Refused for good.
   * @example 3
   */
  failed: number;

  /**
   * No longer mailable at the time of sending.
   * @example 1
   */
  skipped: number;

  /**
   * Bounced after acceptance.
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

/** The same, with the people who were left out, for the page of one send. */
export class SendCountsDto extends DeliveryCountsDto {
  /**
   * People of the choice who were left out: do-not-send rules, exclusions and caps.
   * @example 10
   */
  leftOut: number;
}

/** A list or segment that a send named. */
export class NamedChoiceDto {
  /**
   * Its id
   * @example '7c0f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * Its name at the time of the send
   * @example 'Java vendors in Texas'
   */
  name: string;
}

/** The audience of a send, where it was more than plain lists. */
export class SentAudienceDto {
  /** Chosen segments. */
  segments: NamedChoiceDto[];

  /** Lists that were left out. */
  excludedLists: NamedChoiceDto[];

  /** Segments that were left out. */
  excludedSegments: NamedChoiceDto[];

  /**
   * Addresses and domains that were left out.
   * @example ['client.example']
   */
  excludedAddresses: string[];

  /** Most people at one company; null: no limit. */
  @ApiProperty({ type: Number, nullable: true, example: 2 })
  perCompany: number | null;

  /** Time at which the audience was frozen; null: a worker still has to freeze it. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-23T10:04:11.000Z' })
  frozenAt: string | null;

  /** Why the audience could not be frozen, so that nobody was mailed; null: it was frozen, or still has to be. */
  @ApiProperty({ type: String, nullable: true, example: null })
  failure: string | null;
}

/** A running send waits, because its attached files cannot be read. */
export class FilesWaitDto {
  /**
   * Since when they cannot be read.
   * @example '2026-11-28T09:00:00.000Z'
   */
  since: string;

  /** When the rest of the send is given up, because the file storage no longer has a file; null: it does not answer. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-29T09:00:00.000Z' })
  givenUpAt: string | null;
}

/** One send with its message, lists and counts. */
export class HistoryEntryDto extends HistoryItemDto {
  /**
   * The message as entered. For a rich text, the text derived from it, with merge tags as typed.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  content: string;

  /**
   * Line that inboxes showed after the subject, with its merge tags as they are typed; empty: none.
   * @example 'Hybrid, $60/hr on C2C, starts in December'
   */
  preheader: string;

  /** The message as a rich text, where it was written as one. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  document: DocumentDto | null;

  /** The job that it offered; null: none. */
  @ApiProperty({ type: JobDto, nullable: true })
  job: JobDto | null;

  /** Files that went with it; those that were deleted since have no name. */
  files: SentFileDto[];

  /** It waits for its attached files; null: it does not, or is paused, cancelled or over. */
  @ApiProperty({ type: FilesWaitDto, nullable: true })
  filesWait: FilesWaitDto | null;

  /**
   * The HTML part as recipients got it; its unsubscribe link leads nowhere.
   * @example '<!doctype html><html><body>We are looking for a senior Java developer in Austin.</body></html>'
   */
  html: string;

  /** Lists of the send, with their names at that time. */
  lists: HistoryListDto[];

  /** Number of recipients by status. */
  counts: SendCountsDto;

  /** The audience, where it was more than plain lists; null: plain lists. */
  @ApiProperty({ type: SentAudienceDto, nullable: true })
  audience: SentAudienceDto | null;

  /**
   * Recipients that failed for a temporary reason, or were skipped because an attached file was lost that is stored
   * again, and may be tried again; 0 where an attached file is not stored. Above 2,000, the number includes people who
   * have unsubscribed since.
   * @example 2
   */
  retryable: number;
}

/** An event of the progress stream: the counts, and the status of the send; the stream ends when it is no longer pending. */
export class SendProgressDto extends DeliveryCountsDto {
  /** Status of the send. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'pending' })
  status: HistoryStatus;

  /** paused or cancelled by its sender, if so. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;
}

/** Values of the delivery log's filter: a status, or recipients who unsubscribed through this message. */
export const DELIVERY_FILTERS = [...DELIVERY_STATUSES, 'unsubscribed'] as const;
export type DeliveryFilter = (typeof DELIVERY_FILTERS)[number];

/** Filter of a send's deliveries; `search` looks in the addresses that are not masked. */
export class DeliveryQuery extends PageQuery {
  /** Only deliveries with this status; unsubscribed: those whose recipient unsubscribed through this message. */
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
   * Address of the recipient; masked when it was reached through the shared network only.
   * @example 'jane@example.com'
   */
  recipientEmail: string;

  /** Its state. */
  @ApiProperty({ enum: DELIVERY_STATUSES, example: 'sent' })
  status: DeliveryStatus;

  /** Message-ID of the mail, once sent. */
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
   * It may have arrived twice: it was sent again after an interruption.
   * @example false
   */
  possibleDuplicate: boolean;

  /** When the recipient unsubscribed through this message. */
  @ApiProperty({ type: String, nullable: true, example: null })
  unsubscribedAt: string | null;

  /** Time of the next attempt, while deferred. */
  @ApiProperty({ type: String, nullable: true, example: null })
  nextAttemptAt: string | null;
}
