import { ApiProperty } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { AbsentIfNull, SkipValidation } from '../../shared/http/index.js';
import { SEND_TYPES, type SendType } from '../../shared/enums.js';
import { HEADER_LINE } from '../../shared/text/one-line.js';
import { AudienceChoiceDto, ChosenFileDto, DocumentDto, JobDto, MAX_FILES_OF_MESSAGE } from '../composing/index.js';

const NOT_BLANK = /\S/;
const NO_NUL = /^[^\u0000]*$/;

const BLANKS = new Set([' ', '\t', '\u00a0']);

/**
 * Trims plain spaces only, so that a line break at either end is still refused. Runs before the length check, so it
 * must take linear time.
 */
function trimSpaces(value: string): string {
  let [start, end] = [0, value.length];
  while (start < end && BLANKS.has(value[start]!)) start += 1;
  while (end > start && BLANKS.has(value[end - 1]!)) end -= 1;
  return value.slice(start, end);
}

const trimmed = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? trimSpaces(value) : value);
/**
 * Whether `content` must be validated: it is required without a document; with a document, it is validated if it is
 * given.
 */
const isWithoutDocument = ({ content, document }: { content?: unknown; document?: unknown }): boolean =>
  content !== undefined || document === undefined || document === null;
const absentWhenEmpty = ({ value }: { value: unknown }): unknown =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value;
const trimmedOrAbsent = ({ value }: { value: unknown }): unknown => absentWhenEmpty({ value: trimmed({ value }) });

/**
 * Whether the request names lists. For compositions that need none: `emailListIds` is then validated only if it is
 * given.
 */
export const namesLists = ({ emailListIds }: { emailListIds?: unknown }): boolean =>
  emailListIds !== undefined && emailListIds !== null && !(Array.isArray(emailListIds) && emailListIds.length === 0);

/**
 * Whether `emailListIds` must be validated: lists are required unless segments are chosen, and validated if they are
 * given.
 */
const needsLists = ({ emailListIds, segmentIds }: { emailListIds?: unknown; segmentIds?: unknown }): boolean =>
  !(Array.isArray(segmentIds) && segmentIds.length > 0) ||
  (emailListIds !== undefined && !(Array.isArray(emailListIds) && emailListIds.length === 0));

/** The lists and segments that a send goes to. */
export class ChosenLists extends AudienceChoiceDto {
  /**
   * Ids of the chosen lists, at most 1000. Required unless segments are chosen.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ValidateIf(needsLists)
  @IsString({ each: true, message: 'Choose at least one email list' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @ArrayMinSize(1, { message: 'Choose at least one email list' })
  @IsArray({ message: 'Choose at least one email list' })
  emailListIds: string[];

  /** Type of the send, which decides which contacts receive it. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType: SendType;
}

/** The parts of a composition that are validated in the same way for a send and for its preview. */
export class SendComposition extends ChosenLists {
  /**
   * Line that inboxes show after the subject, at most 150 characters.
   * @example 'Hybrid, $60/hr on C2C, starts in December'
   */
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'The preview line must be a single line of text' })
  @MaxLength(150, { message: 'The preview line must be at most 150 characters' })
  @IsString({ message: 'The preview line must be text' })
  @Transform(trimmedOrAbsent)
  preheader?: string;

  /** The message as a rich text; instead of `content`. */
  @ApiProperty({ type: DocumentDto, required: false })
  @SkipValidation()
  document?: DocumentDto;

  /** The job that the message offers. Stored with the send; does not change the message. */
  @ApiProperty({ type: JobDto, required: false })
  @AbsentIfNull()
  @IsOptional()
  @ValidateNested()
  @Type(() => JobDto)
  job?: JobDto;

  /** Whether the message shows the sender's logo and colour. Default: true for a document, false for a content. */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'brand must be true or false' })
  brand?: boolean;

  /**
   * Whether the message has the sender's signature and closing line. Default: true for a document, false for a content.
   */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'signature must be true or false' })
  signature?: boolean;

  /** Uploaded files that go with the message, each as a link or attached; at most 10. */
  @ApiProperty({ type: [ChosenFileDto], required: false })
  @AbsentIfNull()
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => ChosenFileDto)
  @ArrayMaxSize(MAX_FILES_OF_MESSAGE, { message: `At most ${MAX_FILES_OF_MESSAGE} files can go with an email` })
  @IsArray({ message: 'files must be a list of files' })
  files?: ChosenFileDto[];
}

/** An email to be sent. */
export class SendEmailDto extends SendComposition {
  /**
   * Subject, one line of at most 255 characters.
   * @example 'Senior Java developer, Austin TX'
   */
  @Matches(HEADER_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @Matches(NOT_BLANK, { message: 'Subject is required' })
  @IsString({ message: 'Subject is required' })
  @Transform(trimmed)
  subject: string;

  /**
   * The message as plain text; required if there is no document.
   * @example 'We are looking for a senior Java developer in Austin.'
   */
  @ApiProperty({ required: false, example: 'We are looking for a senior Java developer in Austin.' })
  @ValidateIf(isWithoutDocument)
  @Matches(NO_NUL, { message: 'Content must be text' })
  @MaxLength(100_000, { message: 'Content must be at most 100,000 characters' })
  @Matches(NOT_BLANK, { message: 'Content is required' })
  @IsString({ message: 'Content is required' })
  content?: string;

  /**
   * Id of the draft to send. A draft is sent only once: sending it again returns the first send.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'draftId must be the id of a draft' })
  draftId?: string;

  /**
   * Version of the draft that the sender has seen. If another version was saved since, nothing is sent: 412
   * `draft_changed`.
   * @example 7
   */
  @ApiProperty({ type: 'integer', required: false, example: 7 })
  @AbsentIfNull()
  @IsOptional()
  @Max(2_147_483_647, { message: 'draftVersion must be the version of the draft' })
  @Min(1, { message: 'draftVersion must be the version of the draft' })
  @IsInt({ message: 'draftVersion must be the version of the draft' })
  draftVersion?: number;
}

/** Body of a preview. Like that of a send, but subject and message are optional. */
export class PreviewSendDto extends SendComposition {
  /**
   * Subject. The response contains it only if the message is given, too.
   * @example 'Senior Java developer, Austin TX'
   */
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'Subject must be a single line of text' })
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

  /**
   * Id of the draft that is previewed; the draft does not change.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'draftId must be the id of a draft' })
  draftId?: string;
}

/** An accepted send. */
export class SendAcceptedDto {
  /**
   * Id of the send in the history.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * `pending` for a new send. A repeated request gets the current status of the first send.
   * @example 'pending'
   */
  status: string;

  /**
   * Number of recipients, as a numeric string.
   * @example '120'
   */
  recipientCount: string;

  /**
   * What happens next, as a sentence to show.
   * @example 'Your email is on its way to 120 recipients'
   */
  message: string;
}

/** Result of a retry. */
export class RetriedDto {
  /**
   * Number of recipients to whom the message is sent again. Above 2,000, the number includes people who have
   * unsubscribed since.
   * @example 12
   */
  retried: number;
}
