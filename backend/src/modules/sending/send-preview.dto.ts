import { ApiProperty } from '@nestjs/swagger';
import { LEFT_OUT_REASONS, type LeftOutReason } from '../delivery/index.js';
import { ForecastReasonDto } from './check/check.dto.js';

/** Contacts of the chosen lists that do not receive the send, by reason. */
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
   * On the account's do-not-send list. This number and the following ones exist only where the choice is more than
   * plain lists. With the shared network all numbers are rounded down to tens, and 1 to 9 become 1
   * @example 3
   */
  doNotSend?: number;

  /**
   * On a list that is left out.
   * @example 0
   */
  excludedList?: number;

  /**
   * In a segment that is left out.
   * @example 0
   */
  excludedSegment?: number;

  /**
   * Left out of this send.
   * @example 0
   */
  excludedHere?: number;

  /**
   * At a company where enough other people get the send.
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

  /** Why */
  @ApiProperty({ enum: LEFT_OUT_REASONS, example: 'companyCap' })
  reason: LeftOutReason;

  /**
   * Why, in words
   * @example '2 others at acme.example get this send'
   */
  detail: string;
}

/** Who would receive the send, and how it would read. */
export class SendPreviewDto {
  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /**
   * true: counting exactly would have taken too long. The number is then an upper bound, and excluded contacts are not
   * counted
   * @example true
   */
  @ApiProperty({ type: Boolean, required: false })
  isAbout?: boolean;

  /** Number of excluded contacts, by reason. */
  excluded: ExcludedDto;

  /** `excluded` in words, in the order in which people are left out; empty where they were not counted. */
  @ApiProperty({ type: [ForecastReasonDto] })
  reasons: ForecastReasonDto[];

  /** Up to ten people for each reason, where the choice is more than plain lists. */
  @ApiProperty({ type: [LeftOutSampleDto], required: false })
  leftOut?: LeftOutSampleDto[];

  /**
   * Bytes that may be attached in all to a message for this audience.
   * @example 2097152
   */
  attachmentMaxBytes: number;

  /**
   * HTML part of the message; only with a content or a document.
   * @example '<!doctype html><html>...</html>'
   */
  html?: string;

  /**
   * Text part of the message; only with a content or a document.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  text?: string;

  /**
   * Size of the HTML part in bytes; only with a content or a document.
   * @example 4812
   */
  htmlBytes?: number;

  /**
   * The subject as it would be sent; only with a content or a document.
   * @example 'Senior Java developer, Austin TX'
   */
  subject?: string;
}
