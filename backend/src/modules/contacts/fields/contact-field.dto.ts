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

/** Validates options: single lines of up to 100 characters, without duplicates. */
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

/** A custom field of the account's contacts. */
export class ContactFieldDto {
  /**
   * Id of the field
   * @example '3c1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Key of the field's values; merge tags name the field as `field.` and this key
   * @example 'visa_status'
   */
  key: string;

  /**
   * Name of the field on screens
   * @example 'Visa status'
   */
  label: string;

  /** Type of the field's values */
  @ApiProperty({ enum: FIELD_TYPES, example: 'choice' })
  type: FieldType;

  /**
   * Options, for the types choice and choices
   * @example ['H1B', 'GC', 'USC']
   */
  options: string[];

  /**
   * Position among the fields, from 1
   * @example 1
   */
  position: number;
}

/** A new field. */
export class CreateContactFieldDto {
  /**
   * Name of the field on screens
   * @example 'Visa status'
   */
  @RequiredText(100, MISSING)
  label: string;

  /** Key of the field's values; derived from the label if absent. It cannot be changed later */
  @ApiPropertyOptional({ type: String, example: 'visa_status' })
  @IfPresent()
  @MaxLength(40)
  @IsString()
  key?: string;

  /** Type of the field's values */
  @ApiProperty({ enum: FIELD_TYPES, example: 'choice' })
  @IsIn(FIELD_TYPES, { message: 'Please choose a type' })
  type: FieldType;

  /** Options, for the types choice and choices */
  @FieldOptions()
  options?: string[];
}

/** Changes of a field; absent parts stay unchanged. */
export class UpdateContactFieldDto {
  /**
   * Name of the field on screens
   * @example 'Visa status'
   */
  @IfPresent()
  @RequiredText(100, MISSING)
  label?: string;

  /** New type; only text is allowed */
  @ApiPropertyOptional({ enum: FIELD_TYPES, example: 'text' })
  @IsOptional()
  @IsIn(FIELD_TYPES, { message: 'Please choose a type' })
  type?: FieldType;

  /** Options, for the types choice and choices */
  @FieldOptions()
  options?: string[];

  /**
   * Position among the fields, from 1
   * @example 1
   */
  @IsOptional()
  @Max(CONTACT_LIMITS.fields)
  @Min(1)
  @IsInt()
  position?: number;
}

/** Number of contacts that have a tag, or a value of a field. */
export class ContactUsageDto {
  /**
   * Number of contacts
   * @example 412
   */
  contacts: number;
}
