import { ApiPropertyOptional } from '@nestjs/swagger';
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
  MaxLength,
  Min,
} from 'class-validator';
import { PartQuery } from '../../../../shared/http/requests/page-query.dto.js';
import { EmailText, IfPresent, OptionalText } from '../../../../shared/http/requests/text.decorators.js';
import { ONE_LINE, ONE_LINE_FAULT } from '../../../../shared/text/one-line.js';
import { CONTACT_LIMITS } from '../../../contacts/index.js';
import { VERDICTS, type Verdict } from '../../entities/contact-import-staging.entity.js';
import { EXISTING_CHOICES, type ExistingChoice } from '../../entities/contact-import.values.js';
import type { GroupCode } from '../judging/groups.js';
import { BUILT_IN_TARGETS, type ColumnTarget } from '../judging/targets.js';
import { GROUP_CODES } from './import-report.dto.js';

export const ROLE_CHOICES = ['keep', 'drop'] as const;
export const TARGETS = `One of ${BUILT_IN_TARGETS.join(', ')}, or field.{key} for one of the account's own fields`;
const MAX_TAGS = 50;
const MAX_COLUMNS = 200;

/** Options of an import; absent options stay unchanged. */
export class UpdateImportDto {
  /** Index of the sheet to read */
  @ApiPropertyOptional({ type: Number, example: 1 })
  @IfPresent()
  @Min(0)
  @IsInt()
  sheet?: number;

  /** Whether the first row names the columns */
  @ApiPropertyOptional({ type: Boolean, example: true })
  @IfPresent()
  @IsBoolean()
  hasHeader?: boolean;

  /** Target of each column, in the order of the columns */
  @ApiPropertyOptional({ type: [String], example: ['email', 'name', 'ignore'], description: TARGETS })
  @IfPresent()
  @MaxLength(60, { each: true })
  @ArrayMaxSize(MAX_COLUMNS)
  @IsString({ each: true })
  @IsArray()
  mapping?: ColumnTarget[];

  /** List to put the people on; null for none */
  @ApiPropertyOptional({ type: String, nullable: true, example: '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11' })
  @IsOptional()
  @IsUUID(undefined, { message: 'listId must be the id of a list' })
  listId?: string | null;

  /** Names of tags that every imported person gets; missing tags are created */
  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', maxLength: CONTACT_LIMITS.tagName },
    example: ['Texas'],
  })
  @IfPresent()
  @Matches(ONE_LINE, { each: true, message: ONE_LINE_FAULT })
  @Matches(/\S/, { each: true, message: 'A tag must have a name' })
  @MaxLength(CONTACT_LIMITS.tagName, { each: true })
  @ArrayMaxSize(MAX_TAGS)
  @IsString({ each: true })
  @IsArray()
  tags?: string[];

  /** What happens to the data of people whom the account already knows */
  @ApiPropertyOptional({ enum: EXISTING_CHOICES, example: 'fill' })
  @IfPresent()
  @IsIn(EXISTING_CHOICES)
  existing?: ExistingChoice;

  /** Whether role addresses such as jobs@ are imported */
  @ApiPropertyOptional({ enum: ROLE_CHOICES, example: 'drop' })
  @IfPresent()
  @IsIn(ROLE_CHOICES)
  roles?: 'keep' | 'drop';

  /**
   * Statement of where and how these people agreed; an admin then decides before confirmation mails go out
   * @example 'Clients of our agency since 2024, agreed by signed frame contract'
   */
  @OptionalText(2000, { multiline: true })
  attestation?: string | null;
}

/** Filter of the lines of a checked import. */
export class ImportRowQuery extends PartQuery {
  /** Only lines with this reason or mark */
  @ApiPropertyOptional({ enum: GROUP_CODES, example: 'invalid' })
  @IfPresent()
  @IsIn(GROUP_CODES)
  group?: GroupCode;

  /** Only lines with this verdict */
  @ApiPropertyOptional({ enum: VERDICTS, example: 'left_out' })
  @IfPresent()
  @IsIn(VERDICTS)
  verdict?: Verdict;
}

/** Selects a page of the imports. */
export class ImportPageQuery extends PartQuery {}

/** A corrected address of one line. */
export class CorrectLineDto {
  /**
   * The address
   * @example 'sam@gmail.com'
   */
  @EmailText()
  email: string;
}

/** What happens to all addresses at a domain; without `to` and `drop` they stay as they are. */
export class FixDomainDto {
  /**
   * The domain
   * @example 'gmial.com'
   */
  @MaxLength(253)
  @IsString()
  from: string;

  /** The domain that replaces it */
  @ApiPropertyOptional({ type: String, example: 'gmail.com' })
  @IfPresent()
  @MaxLength(253)
  @IsString()
  to?: string;

  /** true: lines with the domain are left out */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @IfPresent()
  @IsBoolean()
  drop?: boolean;
}
