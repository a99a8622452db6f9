import { ApiProperty, OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, Length, Matches, MaxLength } from 'class-validator';
import { AbsentIfNull, PageQuery, Trim, SkipValidation } from '../../../shared/http/index.js';
import { SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { DocumentDto } from '../document/document.dto.js';

const ONE_LINE = /^[^\u0000-\u001f\u007f\u0085\u2028\u2029]*$/;
/** An empty subject is none; null takes the subject away. */
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

/** What a template holds beside its name. */
export class TemplatePartsDto {
  /** What it is for. */
  @ApiProperty({ enum: SEND_TYPES, required: false, example: 'job-post' })
  @IsOptional()
  @IsIn(SEND_TYPES, { message: 'Please select an email type' })
  emailType?: SendType;

  /** Subject that fills an empty one; null or empty: none. */
  @ApiProperty({ type: String, required: false, nullable: true, example: 'DevOps engineer, Dallas TX' })
  @IsOptional()
  @Matches(ONE_LINE, { message: 'Subject must be a single line of text' })
  @MaxLength(255, { message: 'Subject must be at most 255 characters' })
  @IsString({ message: 'Subject must be text' })
  @Transform(nullIfEmpty)
  subject?: string | null;

  /** The message. */
  @ApiProperty({ type: DocumentDto, required: false })
  @SkipValidation()
  document?: DocumentDto;
}

/** A change of a template; what is absent stays. */
export class UpdateTemplateDto extends TemplatePartsDto {
  /**
   * Its name, 1 to 100 characters, unlike those of the user's other templates.
   * @example 'DevOps, Dallas'
   */
  @AbsentIfNull()
  @IsOptional()
  @Matches(ONE_LINE, { message: 'The name must be a single line of text' })
  @Length(1, 100, { message: 'Please enter a name of 1 to 100 characters' })
  @IsString({ message: 'Please enter a name of 1 to 100 characters' })
  @Trim()
  name?: string;
}

/** A new template: written for it, or taken from a past send or a draft. */
export class CreateTemplateDto extends TemplatePartsDto {
  /**
   * Its name, 1 to 100 characters, unlike those of the user's other templates.
   * @example 'DevOps, Dallas'
   */
  @Matches(ONE_LINE, { message: 'The name must be a single line of text' })
  @Length(1, 100, { message: 'Please enter a name of 1 to 100 characters' })
  @IsString({ message: 'Please enter a name of 1 to 100 characters' })
  @Trim()
  name: string;

  /**
   * Id of a past send that the template is made from, instead of a document.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromSendId must be the id of a send' })
  fromSendId?: string;

  /**
   * Id of a draft that the template is made from, instead of a document.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @AbsentIfNull()
  @IsOptional()
  @IsString({ message: 'fromDraftId must be the id of a draft' })
  fromDraftId?: string;

  /** Whether a message made from it has the sender's logo and colour; absent: as its source says, else by default. */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @IsBoolean({ message: 'brand must be true or false' })
  brand?: boolean;

  /** Whether a message made from it has the sender's signature; absent: as its source says, else by default. */
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
   * Its version, also in ETag; a change names it in If-Match.
   * @example 2
   */
  version: number;

  /**
   * Its name.
   * @example 'DevOps, Dallas'
   */
  name: string;

  /** What it is for. */
  @ApiProperty({ enum: SEND_TYPES, example: 'job-post' })
  emailType: SendType;

  /** Subject that fills an empty one. */
  @ApiProperty({ type: String, nullable: true, example: 'DevOps engineer, Dallas TX' })
  subject: string | null;

  /** The message. */
  document: DocumentDto;

  /** Whether a message made from it has the sender's logo and colour; null: by default. */
  @ApiProperty({ type: Boolean, nullable: true, example: null })
  brand: boolean | null;

  /** Whether a message made from it has the sender's signature; null: by default. */
  @ApiProperty({ type: Boolean, nullable: true, example: false })
  signature: boolean | null;

  /**
   * How often it was used.
   * @example 12
   */
  useCount: number;

  /** When it was last used. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:00.000Z' })
  usedAt: string | null;

  /**
   * When it was made.
   * @example '2026-11-01T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * When it was last changed.
   * @example '2026-11-20T06:30:00.000Z'
   */
  updatedAt: string;
}

/** A template in the Library, without its message. */
export class TemplateSummaryDto extends OmitType(TemplateDto, ['document'] as const) {}
