import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsString, IsUUID, Matches, MaxLength, ValidateBy } from 'class-validator';
import { SkipValidation } from '../../../shared/http/index.js';
import { TEXT_COLORS, type TextColor } from '../../../shared/mail/message-style.js';
import { DocumentDto } from '../document/document.dto.js';
import { hrefFault } from '../document/href.js';

/** Maximum number of characters in each line of a profile. */
const MAX_LINE_LENGTH = 200;
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
const NOT_HTTPS = 'Please enter a web address that begins with https';

/**
 * Trims a line. A text with line breaks is not trimmed, so that the validation refuses it.
 * @returns null if nothing remains
 */
const trimmedOrNull = ({ value }: { value: unknown }): unknown => {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  if (text === '') return null;
  return ONE_LINE.test(value) ? text : value;
};

/** Validates an absolute https URL without credentials. */
const IsHttps = (): PropertyDecorator =>
  ValidateBy(
    {
      name: 'isHttps',
      validator: { validate: (value) => hrefFault(value) === null && /^https:/i.test(value as string) },
    },
    { message: NOT_HTTPS },
  );

/** A line of the profile; empty or null clears it. */
function Line(name: string): PropertyDecorator {
  const parts = [
    ApiProperty({ type: String, required: false, nullable: true }),
    IsOptional(),
    Matches(ONE_LINE, { message: `${name} must be a single line of text` }),
    MaxLength(MAX_LINE_LENGTH, { message: `${name} must be at most ${MAX_LINE_LENGTH} characters` }),
    IsString({ message: `${name} must be text` }),
    Transform(trimmedOrNull),
  ];
  return (target, key) => {
    for (const part of parts) part(target, key);
  };
}

/** A whole sender profile; absent fields are cleared. */
export class SaveSenderProfileDto {
  /**
   * Job title
   * @example 'Senior recruiter'
   */
  @Line('Title')
  title?: string | null;

  /**
   * Telephone number, shown as entered
   * @example '+1 860 555 0142'
   */
  @Line('Phone')
  phone?: string | null;

  /**
   * Web site of the agency, an https URL
   * @example 'https://acme-staffing.example'
   */
  @IsHttps()
  @Line('Website')
  website?: string | null;

  /**
   * A page about the user, an https URL
   * @example 'https://www.linkedin.com/in/ann-kumar'
   */
  @IsHttps()
  @Line('LinkedIn')
  profileUrl?: string | null;

  /**
   * Street address, PO box or private mailbox
   * @example '12 Main Street'
   */
  @Line('Street address')
  addressLine1?: string | null;

  /**
   * Second line of the address
   * @example 'Suite 400'
   */
  @Line('Second line')
  addressLine2?: string | null;

  /**
   * City
   * @example 'Hartford'
   */
  @Line('City')
  city?: string | null;

  /**
   * State or province
   * @example 'CT'
   */
  @Line('State')
  region?: string | null;

  /**
   * Postal code
   * @example '06103'
   */
  @Line('Postal code')
  postalCode?: string | null;

  /**
   * Country
   * @example 'USA'
   */
  @Line('Country')
  country?: string | null;

  /** Signature: a rich text without tables, lists and merge tags, at most 2,000 characters and one picture. */
  @ApiProperty({ type: DocumentDto, required: false, nullable: true })
  @SkipValidation()
  signature?: DocumentDto | null;

  /** Closing line below the signature, with the same restrictions as the signature. */
  @ApiProperty({ type: DocumentDto, required: false, nullable: true })
  @SkipValidation()
  footer?: DocumentDto | null;

  /** Id of the uploaded picture that is the logo. */
  @ApiProperty({ type: String, required: false, nullable: true, example: null })
  @IsOptional()
  @IsUUID(undefined, { message: 'logoFileId must be the id of a picture' })
  logoFileId?: string | null;

  /** Colour of links and buttons; null means the default colour. */
  @ApiProperty({ enum: TEXT_COLORS, required: false, nullable: true, example: 'teal' })
  @IsOptional()
  @IsIn(TEXT_COLORS, { message: `accent must be one of ${TEXT_COLORS.join(', ')}` })
  accent?: TextColor | null;

  /**
   * Whether messages begin with the logo or, without a logo, with the agency's name.
   * @example true
   */
  @IsOptional()
  @IsBoolean({ message: 'showLogo must be true or false' })
  showLogo?: boolean;
}

/** A sender profile as it is stored. */
export class SenderProfileDto {
  /**
   * Version of the profile, also in ETag; the next save sends it in If-Match. 0 if the profile was never saved.
   * @example 3
   */
  @ApiProperty({ type: 'integer', example: 3 })
  version: number;

  /** Job title. */
  @ApiProperty({ type: String, nullable: true, example: 'Senior recruiter' })
  title: string | null;

  /** Telephone number. */
  @ApiProperty({ type: String, nullable: true, example: '+1 860 555 0142' })
  phone: string | null;

  /** Web site. */
  @ApiProperty({ type: String, nullable: true, example: 'https://acme-staffing.example' })
  website: string | null;

  /** A page about the user. */
  @ApiProperty({ type: String, nullable: true, example: null })
  profileUrl: string | null;

  /** First line of the business address. */
  @ApiProperty({ type: String, nullable: true, example: '12 Main Street' })
  addressLine1: string | null;

  /** Second line of the business address. */
  @ApiProperty({ type: String, nullable: true, example: null })
  addressLine2: string | null;

  /** City. */
  @ApiProperty({ type: String, nullable: true, example: 'Hartford' })
  city: string | null;

  /** State or province. */
  @ApiProperty({ type: String, nullable: true, example: 'CT' })
  region: string | null;

  /** Postal code. */
  @ApiProperty({ type: String, nullable: true, example: '06103' })
  postalCode: string | null;

  /** Country. */
  @ApiProperty({ type: String, nullable: true, example: 'USA' })
  country: string | null;

  /** Signature. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  signature: DocumentDto | null;

  /** Closing line below the signature. */
  @ApiProperty({ type: DocumentDto, nullable: true })
  footer: DocumentDto | null;

  /** Id of the picture that is the logo. */
  @ApiProperty({ type: String, nullable: true, example: null })
  logoFileId: string | null;

  /** Colour of links and buttons. */
  @ApiProperty({ enum: TEXT_COLORS, nullable: true, example: 'teal' })
  accent: TextColor | null;

  /**
   * Whether messages begin with the logo.
   * @example true
   */
  showLogo: boolean;

  /** The business address on one line, as the footer of each message shows it; null if there is none. */
  @ApiProperty({ type: String, nullable: true, example: '12 Main Street, Hartford, CT 06103, USA' })
  address: string | null;

  /**
   * Whether a business address is required for sending.
   * @example true
   */
  addressRequired: boolean;
}
