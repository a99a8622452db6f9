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
   * The segment's id
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * Its name
   * @example 'Java vendors in Texas'
   */
  name: string;

  /** The filter */
  @ApiProperty(FILTER)
  filter: Record<string, unknown>;

  /** Labels of the filter's fields, and of their values as `field:value`, at the time when it was saved */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, example: { region: 'State or region' } })
  labels: Record<string, string>;

  /** Why it can no longer be evaluated; null: it can */
  @ApiProperty({ type: String, nullable: true, example: null })
  broken: string | null;

  /**
   * Grows with each change
   * @example 1
   */
  version: number;

  /** Number of its people when they were last counted exactly; null: not counted yet */
  @ApiProperty({ type: Number, nullable: true, example: 412318 })
  lastCount: number | null;

  /** When they were counted */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-23T09:30:00.000Z' })
  countedAt: string | null;

  /** When a send to it was last accepted; null: never */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-20T09:30:00.000Z' })
  lastUsedAt: string | null;

  /**
   * When it was made
   * @example '2026-11-05T09:30:00.000Z'
   */
  createdAt: string;

  /**
   * When it was last changed
   * @example '2026-11-05T09:30:00.000Z'
   */
  updatedAt: string;
}

/** A new segment. */
export class CreateSegmentDto {
  /**
   * Its name
   * @example 'Java vendors in Texas'
   */
  @RequiredText(100, MISSING)
  name: string;

  /** The filter */
  @ApiProperty(FILTER)
  @SkipValidation()
  filter: Record<string, unknown>;
}

/** Changes of a segment. */
export class UpdateSegmentDto {
  /**
   * Its name
   * @example 'Java vendors in Texas'
   */
  @IfPresent()
  @RequiredText(100, MISSING)
  name?: string;

  /** The filter */
  @ApiPropertyOptional(FILTER)
  @SkipValidation()
  filter?: Record<string, unknown>;

  /** Version that the change is based on. 409 `segment_changed` where another one was saved since */
  @ApiPropertyOptional({ type: Number, example: 1 })
  @IfPresent()
  @Max(2 ** 31 - 1)
  @Min(1)
  @IsInt()
  version?: number;
}

/** What is counted: a filter, or a saved segment. */
export class CountRequestDto {
  /** A filter */
  @ApiPropertyOptional(FILTER)
  @SkipValidation()
  filter?: Record<string, unknown>;

  /** Id of a saved segment, instead of a filter; an exact number is stored with it */
  @ApiPropertyOptional({ type: String, example: '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11' })
  @IsOptional()
  @IsUUID(undefined, { message: 'segmentId must be the id of a segment' })
  segmentId?: string;

  /** true: takes up to 5 seconds to count exactly */
  @ApiPropertyOptional({ type: Boolean, example: false })
  @IfPresent()
  @IsBoolean()
  exact?: boolean;
}

/** One of a segment's people. */
export class SegmentSampleDto {
  /**
   * The contact's id
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /**
   * The address
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

/** How many people a filter finds. */
export class SegmentCountDto {
  /**
   * People that the filter finds
   * @example 412318
   */
  count: number;

  /**
   * Of these, people who can be mailed: confirmed on an own list for what the user sends
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

/** A value that can be chosen. */
export class TermOptionDto {
  /**
   * Its value in a filter
   * @example '81377512'
   */
  value: string;

  /**
   * Its label
   * @example 'Java'
   */
  label: string;
}

/** One comparison. */
export class TermOperatorDto {
  /**
   * Its name in filters
   * @example 'isOneOf'
   */
  name: string;

  /**
   * Its label; … stands for the number of days or times
   * @example 'is one of'
   */
  label: string;

  /**
   * The value that it needs: none; a text or texts; a number or two (numbers); a date (YYYY-MM-DD) or two (dates); whole days or
   * a count; some of `options`; `listed`: {values: some of `options`, state: one of `states`}; the id of a `reference`
   */
  @ApiProperty({ enum: VALUE_KINDS, example: 'texts' })
  value: ValueKind;
}

/** A term: something that a filter can ask about a person. */
export class SegmentTermDto {
  /**
   * Its name in filters
   * @example 'region'
   */
  field: string;

  /**
   * Its label
   * @example 'State or region'
   */
  label: string;

  /**
   * Heading in the builder
   * @example 'Person'
   */
  group: string;

  /** Name of one value in messages; null: values have no name */
  @ApiProperty({ type: String, nullable: true, example: 'tag' })
  noun: string | null;

  /** Options to choose from */
  options: TermOptionDto[];

  /** States of an option that can be asked for, such as confirmed on a list */
  states: TermOptionDto[];

  /** Its comparisons */
  operators: TermOperatorDto[];
}
