import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { AbsentIfNull, PageQuery, Trim, SkipValidation } from '../../../shared/http/index.js';
import { SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { HEADER_LINE } from '../../../shared/text/one-line.js';
import { DocumentDto } from '../document/document.dto.js';

/** Trims a text; an empty one becomes null, which removes the subject. */
const nullIfEmpty = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.trim() || null : value;

/** Filter and order of templates. `sort` takes updatedAt, usedAt and name, with a leading minus for descending. */
export class TemplateQuery extends PageQuery {
  /** Only templates of this type. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Unknown email type' })
  type?: SendType;
}

/** The parts of a template other than its name. */
export class TemplatePartsDto {
  /** Type of the emails that the template is for. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType?: SendType;

  /** Subject for messages without one; null or empty means none. */
  @ApiProperty({ type: String, required: false, nullable: true, example: 'DevOps engineer, Dallas TX' })
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @IsString({ message: 'Subject must be text' })
  @Transform(nullIfEmpty)
  subject?: string | null;

  /** The message. */
  @ApiProperty({ type: DocumentDto, required: false })
  @SkipValidation()
  document?: DocumentDto;
}

/** A change of a template; absent fields stay unchanged. */
export class UpdateTemplateDto extends TemplatePartsDto {
  /**
   * Name, 1 to 100 characters, unique among the user's templates.
   * @example 'DevOps, Dallas'
   */
  @AbsentIfNull()
  @IsOptional()
  @Matches(HEADER_LINE, { message: 'The name must be a single line of text' })
  @Length(1, 100, { message: 'Please enter a name of 1 to 100 characters' })
  @IsString({ message: 'Please enter a name of 1 to 100 characters' })
  @Trim()
  name?: string;
}

/** A new template: with its own message, or made from a past send or a draft. */
export class CreateTemplateDto extends TemplatePartsDto {
  /**
   * Name, 1 to 100 characters, unique among the user's templates.
   * @example 'DevOps, Dallas'
   */
  @Matches(HEADER_LINE, { message: 'The name must be a single line of text' })
  @Length(1, 100, { message: 'Please enter a name of 1 to 100 characters' })
  @IsString({ message: 'Please enter a name of 1 to 100 characters' })
  @Trim()
  name: string;

  /**
   * Id of a past send from which the template is made. Parts that the request gives replace those of the send.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromSendId must be the id of a send' })
  fromSendId?: string;

  /**
   * Id of a draft from which the template is made. Parts that the request gives replace those of the draft.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromDraftId must be the id of a draft' })
  fromDraftId?: string;

  /**
   * Whether messages made from the template have the sender's logo and colour. If absent, the choice of the source send
   * or draft applies; without one, the default.
   */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'brand must be true or false' })
  brand?: boolean;

  /**
   * Whether messages made from the template have the sender's signature. If absent, the choice of the source send or
   * draft applies; without one, the default.
   */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'signature must be true or false' })
  signature?: boolean;
}

/** A template with its message. */
export class TemplateDto {
  /**
   * Id of the template.
   * @example '7c1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Version of the template, also in ETag; a change sends it in If-Match.
   * @example 2
   */
  version: number;

  /**
   * Name of the template.
   * @example 'DevOps, Dallas'
   */
  name: string;

  /** Type of the emails that the template is for. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /** Subject for messages without one; null means none. */
  @ApiProperty({ type: String, nullable: true, example: 'DevOps engineer, Dallas TX' })
  subject: string | null;

  /** The message. */
  document: DocumentDto;

  /**
   * Whether messages made from the template have the sender's logo and colour; null means the default of the message.
   */
  @ApiProperty({ type: Boolean, nullable: true, example: null })
  brand: boolean | null;

  /** Whether messages made from the template have the sender's signature; null means the default of the message. */
  @ApiProperty({ type: Boolean, nullable: true, example: false })
  signature: boolean | null;

  /**
   * Number of uses.
   * @example 12
   */
  useCount: number;

  /** When the template was last used; null if never. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:00.000Z' })
  usedAt: string | null;

  /**
   * When the template was created.
   * @example '2026-11-01T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * When the template was last changed.
   * @example '2026-11-20T06:30:00.000Z'
   */
  updatedAt: string;
}

/** A template in the Library, without its message. */
export class TemplateSummaryDto extends OmitType(TemplateDto, ['document'] as const) {}
