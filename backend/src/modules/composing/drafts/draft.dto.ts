import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { AbsentIfNull, SkipValidation } from '../../../shared/http/index.js';
import { SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { HEADER_LINE } from '../../../shared/text/one-line.js';
import { AudienceChoiceDto, PerCompanyDto } from '../audience-choice.dto.js';
import { ChosenFileDto, MAX_FILES_OF_MESSAGE } from '../files/messages/chosen-files.dto.js';
import { DocumentDto } from '../document/document.dto.js';
import { JobDto } from '../requirements/job.dto.js';

/** A draft, which may be incomplete. A save replaces all parts of the draft, so an absent part is removed. */
export class SaveDraftDto extends AudienceChoiceDto {
  /**
   * Ids of the chosen lists, at most 1000.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @IsOptional()
  @IsUUID(undefined, { each: true, message: 'emailListIds must be ids of lists' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsArray({ message: 'emailListIds must be ids of lists' })
  emailListIds?: string[];

  /** Type of the email; by default the type that the account's role sends. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType?: SendType;

  /**
   * Subject line, kept as typed.
   * @example 'Senior Java developer, Austin TX'
   */
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @IsString({ message: 'Subject must be text' })
  subject?: string;

  /**
   * Line that inboxes show after the subject.
   * @example 'Hybrid, $60/hr on C2C, starts in December'
   */
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'The preview line must be a single line of text' })
  @MaxLength(150, { message: 'The preview line must be at most 150 characters' })
  @IsString({ message: 'The preview line must be text' })
  preheader?: string;

  /** The message as plain text; not together with `document`. */
  @ApiProperty({ type: String, required: false, nullable: true, example: null })
  @IsOptional()
  @MaxLength(100_000, { message: 'Content must be at most 100,000 characters' })
  @IsString({ message: 'Content must be text' })
  content?: string | null;

  /** The message as a rich text; not together with `content`. */
  @ApiProperty({ type: DocumentDto, required: false, nullable: true })
  @SkipValidation()
  document?: DocumentDto | null;

  /** The job that the message offers; null means none. */
  @ApiProperty({ type: JobDto, required: false, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => JobDto)
  job?: JobDto | null;

  /** Uploaded files that go with the message, at most 10. If one of them is deleted later, the send is refused. */
  @ApiProperty({ type: [ChosenFileDto], required: false, nullable: true })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => ChosenFileDto)
  @ArrayMaxSize(MAX_FILES_OF_MESSAGE, { message: `At most ${MAX_FILES_OF_MESSAGE} files can go with an email` })
  @IsArray({ message: 'files must be a list of files' })
  files?: ChosenFileDto[] | null;

  /**
   * Whether the message has the sender's logo and colour; by default a rich text has them and a plain text does not.
   */
  @ApiProperty({ type: Boolean, required: false, nullable: true, example: null })
  @IsOptional()
  @IsBoolean({ message: 'brand must be true or false' })
  brand?: boolean | null;

  /** Whether the message has the sender's signature; by default a rich text has it and a plain text does not. */
  @ApiProperty({ type: Boolean, required: false, nullable: true, example: false })
  @IsOptional()
  @IsBoolean({ message: 'signature must be true or false' })
  signature?: boolean | null;

  /**
   * Step of the wizard that the user is on.
   * @example 3
   */
  @IsOptional()
  @Max(9)
  @Min(1)
  @IsInt()
  step?: number;
}

/** A new draft: made from the given parts, or as a copy of a past send or of another draft. */
export class CreateDraftDto extends SaveDraftDto {
  /**
   * Id of a past send to copy, together with those of its lists that still exist; all other fields are ignored.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromSendId must be the id of a send' })
  fromSendId?: string;

  /**
   * Id of another draft to copy; all other fields are ignored.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromDraftId must be the id of a draft' })
  fromDraftId?: string;
}

/** A draft after a save. */
export class DraftSavedDto {
  /**
   * Id of the draft.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Version of the draft, also in ETag; the next save sends it in If-Match.
   * @example 7
   */
  version: number;

  /**
   * When the draft was saved.
   * @example '2026-11-21T06:30:00.000Z'
   */
  updatedAt: string;

  /** Browser and system from which the draft was saved. */
  @ApiProperty({ type: String, nullable: true, example: 'Chrome, Windows' })
  device: string | null;
}

/** A draft. */
export class DraftDto extends DraftSavedDto {
  /**
   * Ids of the chosen lists, some of which may have been deleted since.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  emailListIds: string[];

  /**
   * Ids of the chosen segments.
   * @example []
   */
  segmentIds: string[];

  /**
   * Ids of the lists that are left out.
   * @example []
   */
  excludeListIds: string[];

  /**
   * Ids of the segments that are left out.
   * @example []
   */
  excludeSegmentIds: string[];

  /**
   * Addresses and domains that are left out.
   * @example ['client.example']
   */
  excludeAddresses: string[];

  /** Cap on the number of people at one company; null means no cap. */
  @ApiProperty({ type: PerCompanyDto, nullable: true })
  perCompany: PerCompanyDto | null;

  /**
   * Names of segments of the copied send that no longer exist.
   * @example []
   */
  goneSegments: string[];

  /** Type of the email. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /**
   * Subject line; empty if none was entered.
   * @example 'Senior Java developer, Austin TX'
   */
  subject: string;

  /**
   * Line that inboxes show after the subject; empty if none was entered.
   * @example ''
   */
  preheader: string;

  /** The message as plain text; null unless the user chose plain text. */
  @ApiProperty({ type: String, nullable: true, example: null })
  content: string | null;

  /** The message as rich text; null if there is none yet or the user chose plain text. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  document: DocumentDto | null;

  /** The job that the message offers; null means none. */
  @ApiProperty({ type: JobDto, nullable: true })
  job: JobDto | null;

  /** Uploaded files that go with the message, some of which may have been deleted since. */
  @ApiProperty({ type: [ChosenFileDto] })
  files: ChosenFileDto[];

  /**
   * Whether the message has the sender's logo and colour; null means the default: yes for a rich text, no for a plain
   * one.
   */
  @ApiProperty({ type: Boolean, nullable: true, example: null })
  brand: boolean | null;

  /**
   * Whether the message has the sender's signature; null means the default: yes for a rich text, no for a plain one.
   */
  @ApiProperty({ type: Boolean, nullable: true, example: false })
  signature: boolean | null;

  /**
   * Step of the wizard at which the draft was saved.
   * @example 3
   */
  step: number;

  /**
   * When the draft was created.
   * @example '2026-11-21T06:00:00.000Z'
   */
  createdAt: string;
}

/** A list that the draft names and that still exists. */
export class DraftListDto {
  /**
   * Id of the list.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Name of the list.
   * @example 'Java developers'
   */
  name: string;
}

/** A draft in the Library, without its message. */
export class DraftSummaryDto extends OmitType(DraftDto, [
  'emailListIds',
  'segmentIds',
  'excludeListIds',
  'excludeSegmentIds',
  'excludeAddresses',
  'perCompany',
  'goneSegments',
  'files',
  'brand',
  'signature',
  'content',
  'document',
  'job',
  'preheader',
]) {
  /** The chosen lists that still exist. */
  lists: DraftListDto[];
}
