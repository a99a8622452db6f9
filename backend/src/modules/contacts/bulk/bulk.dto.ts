import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  IsUUID,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IfPresent } from '../../../shared/http/requests/text.decorators.js';
import { SkipValidation } from '../../../shared/http/requests/validation.pipe.js';
import {
  BULK_ACTIONS,
  BULK_REFUSALS,
  BULK_STATUSES,
  type BulkAction,
  JOB_ACTIONS,
  type JobAction,
  type BulkRefusal,
  type BulkStatus,
  CONTACT_LIMITS,
} from '../contacts.constants.js';
import type { FieldValue } from '../fields/field-values.js';
import { ProfileFilter } from '../profiles/profile-query.dto.js';

/** A change of many contacts: given by `ids`, by a segment, or by a filter. */
export class BulkRequestDto {
  /** Ids of at most 1,000 contacts */
  @ApiPropertyOptional({ type: [String], example: ['019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'] })
  @IfPresent()
  @ArrayMaxSize(CONTACT_LIMITS.bulkIds, { message: `At most ${CONTACT_LIMITS.bulkIds} contacts can be named` })
  @ArrayMinSize(1)
  @IsString({ each: true })
  @IsArray()
  ids?: string[];

  /** Filter of the contacts page; an empty filter selects everyone */
  @ApiPropertyOptional({ type: ProfileFilter })
  @IfPresent()
  @ValidateNested()
  @Type(() => ProfileFilter)
  filter?: ProfileFilter;

  /** Id of a saved segment, to change all its members */
  @ApiPropertyOptional({ type: String, example: '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11' })
  @IsOptional()
  @IsUUID(undefined, { message: 'segmentId must be the id of a segment' })
  segmentId?: string;

  /** The action */
  @ApiProperty({ enum: BULK_ACTIONS, example: 'addTags' })
  @IsIn(BULK_ACTIONS, { message: 'Please choose what to do' })
  action: BulkAction;

  /** Ids of tags, for addTags and removeTags */
  @ApiPropertyOptional({ type: [Number], example: [81377512] })
  @IfPresent()
  @ArrayMaxSize(CONTACT_LIMITS.tagsPerContact)
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsInt({ each: true })
  @IsArray()
  tags?: number[];

  /** Id of an own list, for addToList and removeFromList */
  @ApiPropertyOptional({ type: String, example: '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d' })
  @IsOptional()
  @IsUUID(undefined, { message: 'listId must be the id of a list' })
  listId?: string;

  /** Key of a field, for setField: a custom field, or company, job_title, city or region */
  @ApiPropertyOptional({ type: String, example: 'visa_status' })
  @IsOptional()
  @MaxLength(40)
  @IsString()
  field?: string;

  /** The field's new value; null or absent clears it */
  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
    nullable: true,
    example: 'H1B',
  })
  @SkipValidation()
  value?: FieldValue | null;
}

/** A bulk change that was started. */
export class BulkStartedDto {
  /**
   * Id of the bulk change, for GET /api/contacts/bulk/{jobId}
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  jobId: string;
}

/** A contact that a bulk change left unchanged. */
export class BulkRefusalDto {
  /**
   * The contact's id
   * @example '019aa7c2-6d0e-7c11-9c65-0d6c1d2a9b11'
   */
  id: string;

  /** Why the contact was left unchanged */
  @ApiProperty({ enum: BULK_REFUSALS, example: 'suppressed' })
  reason: BulkRefusal;
}

/** State and progress of a bulk change. */
export class BulkJobDto {
  /**
   * Id of the bulk change
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** The action */
  @ApiProperty({ enum: JOB_ACTIONS, example: 'addTags' })
  action: JobAction;

  /** State of the bulk change */
  @ApiProperty({ enum: BULK_STATUSES, example: 'running' })
  status: BulkStatus;

  /**
   * Number of contacts to change; 0 until they are counted
   * @example 412000
   */
  total: number;

  /**
   * Number of contacts that are done, including refused ones
   * @example 120000
   */
  done: number;

  /** Contacts that were left unchanged, at most 1,000 */
  refused: BulkRefusalDto[];

  /**
   * Number of further contacts that were left unchanged and are not listed
   * @example 0
   */
  refusedUnlisted: number;

  /** When the bulk change ended; null while it runs */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-23T09:30:00.000Z' })
  finishedAt: string | null;
}
