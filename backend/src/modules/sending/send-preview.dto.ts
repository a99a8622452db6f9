import { ApiProperty } from '@nestjs/swagger';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../delivery/index.js';
import { ForecastReasonDto } from './check/check.dto.js';

/** Number of contacts on the chosen lists whom the send leaves out, by reason. */
export class ExcludedDto {
  /**
   * Not confirmed yet.
   * @example 31
   */
  pending: number;

  /**
   * Agreed to the other type of mail.
   * @example 4
   */
  otherType: number;

  /**
   * Unsubscribed, bounced or complained.
   * @example 2
   */
  suppressed: number;

  /**
   * On more than one of the chosen lists.
   * @example 1
   */
  duplicates: number;

  /**
   * On the account's do-not-send list. This number and the following ones are present only if the choice is more than
   * plain lists. If it includes the shared network, all numbers are rounded down to tens, and 1 to 9 become 1
   * @example 3
   */
  doNotSend?: number;

  /**
   * On an excluded list.
   * @example 0
   */
  excludedList?: number;

  /**
   * In an excluded segment.
   * @example 0
   */
  excludedSegment?: number;

  /**
   * Excluded from this send by address or domain.
   * @example 0
   */
  excludedHere?: number;

  /**
   * At a company at which enough other people get the send.
   * @example 10
   */
  companyCap?: number;
}

/** A person who would be left out. */
export class LeftOutSampleDto {
  /**
   * The address
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

/** Who would receive a send, and what the message would look like. */
export class SendPreviewDto {
  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /**
   * true if an exact count would have taken too long. The number is then an upper bound, and left-out contacts are not
   * counted
   * @example true
   */
  @ApiProperty({ type: Boolean, required: false })
  isAbout?: boolean;

  /** Number of contacts who are left out, by reason. */
  excluded: ExcludedDto;

  /**
   * The numbers of `excluded` with texts, in the order in which the reasons are applied; empty if they were not
   * counted.
   */
  @ApiProperty({ type: [ForecastReasonDto] })
  reasons: ForecastReasonDto[];

  /** Up to ten people per reason; only if the choice is more than plain lists. */
  @ApiProperty({ type: [LeftOutSampleDto], required: false })
  leftOut?: LeftOutSampleDto[];

  /**
   * Maximum total size in bytes of the files attached to a message for this audience.
   * @example 2097152
   */
  attachmentMaxBytes: number;

  /**
   * HTML part of the message; only if the request has a content or a document.
   * @example '<!doctype html><html>...</html>'
   */
  html?: string;

  /**
   * Text part of the message; only if the request has a content or a document.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  text?: string;

  /**
   * Size of the HTML part in bytes; only if the request has a content or a document.
   * @example 4812
   */
  htmlBytes?: number;

  /**
   * The subject as it would be sent; only if the request has a content or a document.
   * @example 'Senior Java developer, Austin TX'
   */
  subject?: string;
}
