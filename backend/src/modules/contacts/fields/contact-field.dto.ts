import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { IfPresent, RequiredText } from '../../../shared/http/requests/text.decorators.js';
import { ONE_LINE, ONE_LINE_FAULT } from '../../../shared/text/one-line.js';
import { FIELD_TYPES, type FieldType, CONTACT_LIMITS } from '../contacts.constants.js';

const MISSING = 'Please enter a label';
const MAX_OPTION = 100;

/** What may be chosen: single lines of up to 100 characters, each once. */
const FieldOptions = (): PropertyDecorator =>
  applyDecorators(
    IsArray(),
    IsString({ each: true }),
    IsNotEmpty({ each: true }),
    MaxLength(MAX_OPTION, { each: true }),
    Matches(ONE_LINE, { each: true, message: ONE_LINE_FAULT }),
    ArrayUnique(),
    ArrayMaxSize(CONTACT_LIMITS.options),
    IfPresent(),
    ApiPropertyOptional({ type: [String], uniqueItems: true, example: ['H1B', 'GC', 'USC'] }),
  );

/** A field that the account added to its contacts. */
export class ContactFieldDto {
  /**
   * The field's id
   * @example '3c1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Key of its values, and its name in merge tags after `field.`
   * @example 'visa_status'
   */
  key: string;

  /**
   * Its name on screens
   * @example 'Visa status'
   */
  label: string;

  /** What its values are */
  @ApiProperty({ enum: FIELD_TYPES, example: 'choice' })
  type: FieldType;

  /**
   * What may be chosen, for choice and choices
   * @example ['H1B', 'GC', 'USC']
   */
  options: string[];

  /**
   * Its place among the fields, from 1
   * @example 1
   */
  position: number;
}

/** A new field. */
export class CreateContactFieldDto {
  /**
   * Its name on screens
   * @example 'Visa status'
   */
  @RequiredText(100, MISSING)
  label: string;

  /** Key of its values; made of the label where it is absent. Never changes. */
  @ApiPropertyOptional({ type: String, example: 'visa_status' })
  @IfPresent()
  @MaxLength(40)
  @IsString()
  key?: string;

  /** What its values are */
  @ApiProperty({ enum: FIELD_TYPES, example: 'choice' })
  @IsIn(FIELD_TYPES, { message: 'Please choose a type' })
  type: FieldType;

  /** What may be chosen, for choice and choices */
  @FieldOptions()
  options?: string[];
}

/** Changes of a field. */
export class UpdateContactFieldDto {
  /**
   * Its name on screens
   * @example 'Visa status'
   */
  @IfPresent()
  @RequiredText(100, MISSING)
  label?: string;

  /** Only text: any other type stays what it is */
  @ApiPropertyOptional({ enum: FIELD_TYPES, example: 'text' })
  @IsOptional()
  @IsIn(FIELD_TYPES, { message: 'Please choose a type' })
  type?: FieldType;

  /** What may be chosen, for choice and choices */
  @FieldOptions()
  options?: string[];

  /**
   * Its place among the fields, from 1
   * @example 1
   */
  @IsOptional()
  @Max(CONTACT_LIMITS.fields)
  @Min(1)
  @IsInt()
  position?: number;
}

/** How many contacts a field or tag is used by. */
export class ContactUsageDto {
  /**
   * Contacts that have it
   * @example 412
   */
  contacts: number;
}
