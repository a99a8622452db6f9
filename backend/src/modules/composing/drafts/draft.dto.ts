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
import { AudienceChoiceDto, PerCompanyDto } from '../audience-choice.dto.js';
import { ChosenFileDto, MAX_FILES_OF_MESSAGE } from '../files/messages/chosen-files.dto.js';
import { DocumentDto } from '../document/document.dto.js';
import { JobDto } from '../requirements/job.dto.js';

const ONE_LINE = /^[^\u0000-\u001f\u007f\u0085\u2028\u2029]*$/;

/** A message as far as it is written. Every part may be missing; a save replaces all of them. */
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

  /** What is to be sent; by default what the account's role sends. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType?: SendType;

  /**
   * Subject line, kept as typed.
   * @example 'Senior Java developer, Austin TX'
   */
  @IsOptional()
  @Matches(ONE_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @IsString({ message: 'Subject must be text' })
  subject?: string;

  /**
   * Line that inboxes show after the subject.
   * @example 'Hybrid, $60/hr on C2C, starts in December'
   */
  @IsOptional()
  @Matches(ONE_LINE, { message: 'The preview line must be a single line of text' })
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

  /** The job that the message offers; null: none. */
  @ApiProperty({ type: JobDto, required: false, nullable: true })
  @IsOptional()
  @ValidateNested()
  @Type(() => JobDto)
  job?: JobDto | null;

  /** Uploaded files that go with the message, at most 10. One may be deleted later: then the send is refused. */
  @ApiProperty({ type: [ChosenFileDto], required: false, nullable: true })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => ChosenFileDto)
  @ArrayMaxSize(MAX_FILES_OF_MESSAGE, { message: `At most ${MAX_FILES_OF_MESSAGE} files can go with an email` })
  @IsArray({ message: 'files must be a list of files' })
  files?: ChosenFileDto[] | null;

  /** Whether the message has the sender's logo and colour; null: by default. */
  @ApiProperty({ type: Boolean, required: false, nullable: true, example: null })
  @IsOptional()
  @IsBoolean({ message: 'brand must be true or false' })
  brand?: boolean | null;

  /** Whether the message has the sender's signature; null: by default. */
  @ApiProperty({ type: Boolean, required: false, nullable: true, example: false })
  @IsOptional()
  @IsBoolean({ message: 'signature must be true or false' })
  signature?: boolean | null;

  /**
   * Step of the wizard that the writer stands at.
   * @example 3
   */
  @IsOptional()
  @Max(9)
  @Min(1)
  @IsInt()
  step?: number;
}

/** A new draft: its parts, or a copy of a past send or of another draft. */
export class CreateDraftDto extends SaveDraftDto {
  /**
   * Id of a past send that the draft copies, with those of its lists that still exist; mutually exclusive with every other field.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromSendId must be the id of a send' })
  fromSendId?: string;

  /**
   * Id of another draft that this one copies; mutually exclusive with every other field.
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
   * Its version, also in ETag; the next save names it in If-Match.
   * @example 7
   */
  version: number;

  /**
   * When it was saved.
   * @example '2026-11-21T06:30:00.000Z'
   */
  updatedAt: string;

  /** Where it was saved. */
  @ApiProperty({ type: String, nullable: true, example: 'Chrome, Windows' })
  device: string | null;
}

/** A draft. */
export class DraftDto extends DraftSavedDto {
  /**
   * Ids of the chosen lists; one of them may be gone since.
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

  /** Most people at one company. */
  @ApiProperty({ type: PerCompanyDto, nullable: true })
  perCompany: PerCompanyDto | null;

  /**
   * Names of segments that the copied send had and that no longer exist.
   * @example []
   */
  goneSegments: string[];

  /** What is to be sent. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /**
   * Subject line; empty while there is none.
   * @example 'Senior Java developer, Austin TX'
   */
  subject: string;

  /**
   * Line that inboxes show after the subject; empty while there is none.
   * @example ''
   */
  preheader: string;

  /** The message as plain text, where the writer chose it. */
  @ApiProperty({ type: String, nullable: true, example: null })
  content: string | null;

  /** The message as a rich text. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  document: DocumentDto | null;

  /** The job that the message offers; null: none. */
  @ApiProperty({ type: JobDto, nullable: true })
  job: JobDto | null;

  /** Uploaded files that go with the message; one may be deleted since. */
  @ApiProperty({ type: [ChosenFileDto] })
  files: ChosenFileDto[];

  /** Whether the message has the sender's logo and colour; null: by default, a rich text has. */
  @ApiProperty({ type: Boolean, nullable: true, example: null })
  brand: boolean | null;

  /** Whether the message has the sender's signature; null: by default, a rich text has. */
  @ApiProperty({ type: Boolean, nullable: true, example: false })
  signature: boolean | null;

  /**
   * Step of the wizard that the writer stood at.
   * @example 3
   */
  step: number;

  /**
   * When it was begun.
   * @example '2026-11-21T06:00:00.000Z'
   */
  createdAt: string;
}

/** A list of a draft that still exists. */
export class DraftListDto {
  /**
   * Id of the list.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Its name.
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
