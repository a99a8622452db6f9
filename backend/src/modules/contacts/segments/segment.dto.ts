import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';
import { IfPresent, RequiredText } from '../../../shared/http/requests/text.decorators.js';
import { SkipValidation } from '../../../shared/http/index.js';
import { VALUE_KINDS, type ValueKind } from './segment-terms.registry.js';

const MISSING = 'Please enter a name';
const FILTER = {
  type: 'object',
  additionalProperties: true,
  description:
    'Group {combinator: and, or; not?; rules}, whose rules are {field, operator, value?} or groups: at most three levels, 50 rules, 32 KB. Fields and operators: GET /api/segments/terms',
  example: { combinator: 'and', rules: [{ field: 'region', operator: 'isOneOf', value: ['TX', 'OK'] }] },
} as const;

/** A saved filter. */
export class SegmentDto {
  /**
   * Id of the segment
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * Name of the segment
   * @example 'Java vendors in Texas'
   */
  name: string;

  /** The filter */
  @ApiProperty(FILTER)
  filter: Record<string, unknown>;

  /** Labels of the filter's fields, and of their values as `field:value`, when the segment was saved */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { region: 'State or region' } })
  labels: Record<string, string>;

  /** Why the segment can no longer be evaluated; null if it can */
  @ApiProperty({ type: String, nullable: true, example: null })
  broken: string | null;

  /**
   * Increases with each change
   * @example 1
   */
  version: number;

  /** Number of people when they were last counted exactly; null if they were not counted yet */
  @ApiProperty({ type: Number, nullable: true, example: 412318 })
  lastCount: number | null;

  /** When the people were last counted exactly; null if they were not counted yet */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-23T09:30:00.000Z' })
  countedAt: string | null;

  /** When a send to the segment was last accepted; null if never */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-20T09:30:00.000Z' })
  lastUsedAt: string | null;

  /**
   * When the segment was created
   * @example '2026-11-05T09:30:00.000Z'
   */
  createdAt: string;

  /**
   * When the segment was last changed
   * @example '2026-11-05T09:30:00.000Z'
   */
  updatedAt: string;
}

/** A new segment. */
export class CreateSegmentDto {
  /**
   * Name of the segment
   * @example 'Java vendors in Texas'
   */
  @RequiredText(100, MISSING)
  name: string;

  /** The filter */
  @ApiProperty(FILTER)
  @SkipValidation()
  filter: Record<string, unknown>;
}

/** Changes of a segment; absent parts stay unchanged. */
export class UpdateSegmentDto {
  /**
   * Name of the segment
   * @example 'Java vendors in Texas'
   */
  @IfPresent()
  @RequiredText(100, MISSING)
  name?: string;

  /** The filter */
  @ApiPropertyOptional(FILTER)
  @SkipValidation()
  filter?: Record<string, unknown>;

  /** Version on which the change is based. Answers 409 `segment_changed` if another version was saved since */
  @ApiPropertyOptional({ type: Number, example: 1 })
  @IfPresent()
  @Max(2 ** 31 - 1)
  @Min(1)
  @IsInt()
  version?: number;
}

/** What to count: a filter, or a saved segment. */
export class CountRequestDto {
  /** A filter */
  @ApiPropertyOptional(FILTER)
  @SkipValidation()
  filter?: Record<string, unknown>;

  /** Id of a saved segment, instead of a filter; an exact number is stored with the segment */
  @ApiPropertyOptional({ type: String, example: '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11' })
  @IsOptional()
  @IsUUID(undefined, { message: 'segmentId must be the id of a segment' })
  segmentId?: string;

  /** true allows up to 5 seconds for an exact count */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @IfPresent()
  @IsBoolean()
  exact?: boolean;
}

/** A person of a segment, as an example. */
export class SegmentSampleDto {
  /**
   * Id of the contact
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * Address of the contact
   * @example 'priya@acme.example'
   */
  email: string;

  /** First name */
  @ApiProperty({ type: String, nullable: true, example: 'Priya' })
  firstName: string | null;

  /** Last name */
  @ApiProperty({ type: String, nullable: true, example: 'Patel' })
  lastName: string | null;

  /** Company */
  @ApiProperty({ type: String, nullable: true, example: 'Acme Staffing' })
  company: string | null;
}

/** Number of people that a filter finds. */
export class SegmentCountDto {
  /**
   * Number of people that the filter finds
   * @example 412318
   */
  count: number;

  /**
   * Number of these people who can be mailed: they confirmed on an own list, for the type that the user sends
   * @example 398020
   */
  mailable: number;

  /**
   * Whether the numbers are estimates, rounded to three digits
   * @example false
   */
  approximate: boolean;

  /** Up to five of these people */
  sample: SegmentSampleDto[];
}

/** An option of a term. */
export class TermOptionDto {
  /**
   * Value of the option in a filter
   * @example '81377512'
   */
  value: string;

  /**
   * Label of the option
   * @example 'Java'
   */
  label: string;
}

/** A comparison that a term offers. */
export class TermOperatorDto {
  /**
   * Name of the comparison in filters
   * @example 'isOneOf'
   */
  name: string;

  /**
   * Label of the comparison; … stands for the number of days or times
   * @example 'is one of'
   */
  label: string;

  /**
   * Kind of the value: none; one text or several (texts); one number or two (numbers); one date (YYYY-MM-DD) or two
   * (dates); a number of days or a count; some of `options`; `listed`: {values: some of `options`, state: one of
   * `states`}; the id of a `reference`
   */
  @ApiProperty({ enum: VALUE_KINDS, example: 'texts' })
  value: ValueKind;
}

/** A term: something that a filter can ask about a person. */
export class SegmentTermDto {
  /**
   * Name of the term in filters
   * @example 'region'
   */
  field: string;

  /**
   * Label of the term
   * @example 'State or region'
   */
  label: string;

  /**
   * Heading of the term in the filter builder
   * @example 'Person'
   */
  group: string;

  /** What a value is called in messages; null if values have no such name */
  @ApiProperty({ type: String, nullable: true, example: 'tag' })
  noun: string | null;

  /** Options to choose from */
  options: TermOptionDto[];

  /** States of an option that a rule can ask for, such as confirmed on a list */
  states: TermOptionDto[];

  /** The comparisons that the term offers */
  operators: TermOperatorDto[];
}
