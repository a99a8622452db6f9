import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsInt,
  IsISO31661Alpha2,
  IsOptional,
  IsString,
  IsTimeZone,
} from 'class-validator';
import { SkipValidation } from '../../../shared/http/requests/validation.pipe.js';
import { EmailText, IfPresent, OptionalText } from '../../../shared/http/requests/text.decorators.js';
import { CONTACT_TYPES, type ContactType } from '../../../shared/enums.js';
import { CONTACT_LIMITS, PROFILE_CONSENTS, PROFILE_LENGTHS, type ProfileConsent } from '../contacts.constants.js';
import type { FieldValue } from '../fields/field-values.js';
import { ProfileRuleDto } from './profile-rule.dto.js';

const FIELDS = {
  type: 'object',
  additionalProperties: true,
  example: { visa_status: 'H1B', rate: 80 },
} as const;
const MAX_LISTS = 100;
const upper = ({ value }: { value: unknown }): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
const emptyToNull = ({ value }: { value: unknown }): unknown => (value === '' ? null : value);

/** A person, across all lists that the address is on. */
export class ProfileDto {
  /**
   * Id of the contact
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * The address as typed
   * @example 'priya@acme.example'
   */
  email: string;

  /** First name */
  @ApiProperty({ type: String, nullable: true, example: 'Priya' })
  firstName: string | null;

  /** Last name */
  @ApiProperty({ type: String, nullable: true, example: 'Patel' })
  lastName: string | null;

  /** Company as entered */
  @ApiProperty({ type: String, nullable: true, example: 'Acme Staffing' })
  company: string | null;

  /** Registrable domain of the address; null for free-mail domains */
  @ApiProperty({ type: String, nullable: true, example: 'acme.example' })
  companyDomain: string | null;

  /** Job title */
  @ApiProperty({ type: String, nullable: true, example: 'Vendor Manager' })
  jobTitle: string | null;

  /** Phone number as entered */
  @ApiProperty({ type: String, nullable: true, example: '(512) 555-0142' })
  phone: string | null;

  /** Phone number in E.164; null if it could not be parsed */
  @ApiProperty({ type: String, nullable: true, example: '+15125550142' })
  phoneE164: string | null;

  /** City */
  @ApiProperty({ type: String, nullable: true, example: 'Austin' })
  city: string | null;

  /** State or region */
  @ApiProperty({ type: String, nullable: true, example: 'TX' })
  region: string | null;

  /** Country code, ISO 3166-1 alpha-2 */
  @ApiProperty({ type: String, nullable: true, example: 'US' })
  country: string | null;

  /** IANA time zone */
  @ApiProperty({ type: String, nullable: true, example: 'America/Chicago' })
  timeZone: string | null;

  /**
   * Ids of skills
   * @example [12]
   */
  skills: number[];

  /**
   * Ids of tags
   * @example [81377512]
   */
  tags: number[];

  /** Values of the account's custom fields, by key */
  @ApiProperty(FIELDS)
  fields: Record<string, FieldValue>;

  /**
   * Ids of the account's own lists that the person is on
   * @example ['0b4f2a62-6d0e-4c11-9c65-0d6c1d2a9b11']
   */
  listIds: string[];

  /** Consent of the person, over all own lists */
  @ApiProperty({ enum: PROFILE_CONSENTS, example: 'mailable' })
  consent: ProfileConsent;

  /** When a message to the person was last accepted; null if never, or if not known yet */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-20T09:30:00.000Z' })
  lastMailedAt: string | null;

  /**
   * When the account first got the address
   * @example '2026-01-05T09:30:00.000Z'
   */
  createdAt: string;
}

/** One of the account's own lists that the person is on. */
export class ProfileListDto {
  /**
   * The list's id
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * The list's name
   * @example 'Java vendors'
   */
  name: string;

  /**
   * Id of the contact on that list
   * @example '7a1e3f5c-8f57-4f0a-9c65-0d6c1d2a9b11'
   */
  membershipId: string;

  /** State of the consent on that list */
  @ApiProperty({ enum: ['confirmed', 'pending', 'unsubscribed', 'bounced', 'complained'], example: 'confirmed' })
  status: 'confirmed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained';

  /** Type of mail to which the person agreed */
  @ApiProperty({ enum: CONTACT_TYPES, example: 'job-posts' })
  subscriptionType: ContactType;
}

/** A person, with the lists that the person is on. */
export class ProfileDetailDto extends ProfileDto {
  /** The account's own lists that the person is on */
  lists: ProfileListDto[];

  /** When the person unsubscribed, if their consent is `left`; null otherwise */
  @ApiProperty({ type: String, nullable: true, example: null })
  leftAt: string | null;

  /**
   * Interests that the person stated; null if there are none
   * @example null
   */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: null })
  interests: Record<string, unknown> | null;

  /** The account's do-not-send rule that covers the address; null if there is none */
  @ApiProperty({ type: ProfileRuleDto, nullable: true, example: null })
  doNotSend: ProfileRuleDto | null;
}

/** Changes of a person. Absent fields stay unchanged; an empty text or null clears a field. */
export class UpdateProfileDto {
  /**
   * First name
   * @example 'Priya'
   */
  @OptionalText(PROFILE_LENGTHS.firstName)
  firstName?: string | null;

  /**
   * Last name
   * @example 'Patel'
   */
  @OptionalText(PROFILE_LENGTHS.lastName)
  lastName?: string | null;

  /**
   * Company
   * @example 'Acme Staffing'
   */
  @OptionalText(PROFILE_LENGTHS.company)
  company?: string | null;

  /**
   * Job title
   * @example 'Vendor Manager'
   */
  @OptionalText(PROFILE_LENGTHS.jobTitle)
  jobTitle?: string | null;

  /**
   * Phone number, kept as entered
   * @example '(512) 555-0142'
   */
  @OptionalText(PROFILE_LENGTHS.phone)
  phone?: string | null;

  /**
   * City
   * @example 'Austin'
   */
  @OptionalText(PROFILE_LENGTHS.city)
  city?: string | null;

  /**
   * State or region
   * @example 'TX'
   */
  @OptionalText(PROFILE_LENGTHS.region)
  region?: string | null;

  /** Country code, ISO 3166-1 alpha-2 */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'US' })
  @IsOptional()
  @IsISO31661Alpha2({ message: 'Please choose a country' })
  @Transform(upper)
  @Transform(emptyToNull)
  country?: string | null;

  /** IANA time zone */
  @ApiPropertyOptional({ type: String, nullable: true, example: 'America/Chicago' })
  @IsOptional()
  @IsTimeZone({ message: 'Please choose a time zone' })
  @Transform(emptyToNull)
  timeZone?: string | null;

  /** Ids of all tags that the person has after the change */
  @ApiPropertyOptional({ type: [Number], example: [81377512] })
  @IfPresent()
  @ArrayMaxSize(CONTACT_LIMITS.tagsPerContact, {
    message: `A contact can have at most ${CONTACT_LIMITS.tagsPerContact} tags`,
  })
  @ArrayUnique()
  @IsInt({ each: true })
  @IsArray()
  tags?: number[];

  /** Values of the account's custom fields, by key; fields that are not given stay unchanged */
  @ApiPropertyOptional(FIELDS)
  @SkipValidation()
  fields?: Record<string, FieldValue | null>;
}

/** A new person. */
export class CreateProfileDto extends UpdateProfileDto {
  /**
   * The address
   * @example 'priya@acme.example'
   */
  @EmailText()
  email: string;

  /** The account's own lists to which the person is added as Pending, with one confirmation mail per list */
  @ApiPropertyOptional({ type: [String], example: ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'] })
  @IfPresent()
  @ArrayMaxSize(MAX_LISTS)
  @IsString({ each: true })
  @IsArray()
  listIds?: string[];
}

/** A new address of a person. */
export class ProfileAddressDto {
  /**
   * The new address
   * @example 'priya@newplace.example'
   */
  @EmailText()
  email: string;
}
