import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { SEND_TYPES, type SendType } from '../../../shared/words/send-type.js';

/** Neither control characters nor line or paragraph separators: nothing that could end a header. */
const ONE_LINE = /^[^\u0000-\u001f\u007f\u0085\u2028\u2029]*$/;
const NOT_BLANK = /\S/;
const NO_NUL = /^[^\u0000]*$/;

const BLANKS = new Set([' ', '\t', '\u00a0']);

/** Plain spaces only: a line break at an end is refused, not forgiven. It runs before the length is checked: linear in any text. */
function trimSpaces(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && BLANKS.has(value[start]!)) start += 1;
  while (end > start && BLANKS.has(value[end - 1]!)) end -= 1;
  return value.slice(start, end);
}

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? trimSpaces(value) : value);
const absentWhenEmpty = ({ value }: { value: unknown }): unknown =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
const trimmedOrAbsent = ({ value }: { value: unknown }): unknown => absentWhenEmpty({ value: trimmed({ value }) });

/** Whom a send goes to. */
export class ChosenLists {
  /**
   * Ids of the chosen lists, 1 to 1000.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @IsString({ each: true, message: 'Choose at least one email list' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @ArrayMinSize(1, { message: 'Choose at least one email list' })
  @IsArray({ message: 'Choose at least one email list' })
  emailListIds: string[];

  /** What is sent: it decides which contacts receive it. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType: SendType;
}

/** A send. */
export class SendEmailDto extends ChosenLists {
  /**
   * Subject line, one line of at most 255 characters.
   * @example 'Senior Java developer, Austin TX'
   */
  @Matches(ONE_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @Matches(NOT_BLANK, { message: 'Subject is required' })
  @IsString({ message: 'Subject is required' })
  @Transform(trimmed)
  subject: string;

  /**
   * The message, as plain text.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  @Matches(NO_NUL, { message: 'Content must be text' })
  @MaxLength(100_000, { message: 'Content must be at most 100,000 characters' })
  @Matches(NOT_BLANK, { message: 'Content is required' })
  @IsString({ message: 'Content is required' })
  content: string;
}

/** What the wizard asks before sending. */
export class PreviewSendDto extends ChosenLists {
  /**
   * Subject line; with a content the message is rendered as well.
   * @example 'Senior Java developer, Austin TX'
   */
  @IsOptional()
  @Matches(ONE_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @IsString({ message: 'Subject must be text' })
  @Transform(trimmedOrAbsent)
  subject?: string;

  /**
   * The message, as plain text.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  @IsOptional()
  @Matches(NO_NUL, { message: 'Content must be text' })
  @MaxLength(100_000, { message: 'Content must be at most 100,000 characters' })
  @IsString({ message: 'Content must be text' })
  @Transform(absentWhenEmpty)
  content?: string;
}

/** The send as it was accepted. */
export class SendAcceptedDto {
  /**
   * Id of the send, as in the history.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * pending: the messages go out now.
   * @example 'pending'
   */
  status: string;

  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /**
   * Text for people.
   * @example 'Your email is on its way to 120 recipients'
   */
  message: string;
}

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
}

/** Who would receive the send, and how it would read. */
export class SendPreviewDto {
  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /** Who is left out, and why. */
  excluded: ExcludedDto;

  /**
   * HTML part of the message; only with a subject and a content.
   * @example '<!doctype html><html>...</html>'
   */
  html?: string;

  /**
   * Text part of the message; only with a subject and a content.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  text?: string;
}
