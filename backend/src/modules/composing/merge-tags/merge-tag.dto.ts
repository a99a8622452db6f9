import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { TAG_GROUPS, type TagGroup } from './tag-catalogue.js';

const toArray = ({ value }: { value: unknown }): unknown =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(',').filter(Boolean) : [one],
  );

/** For which lists, and whether to count. */
export class MergeTagQuery {
  /**
   * Ids of the chosen lists, repeated or separated by commas; absent: none is chosen yet
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ApiProperty({ type: [String], required: false })
  @IsOptional()
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsString({ each: true, message: 'Email list not found' })
  @IsArray()
  @Transform(toArray)
  emailListIds?: string[];

  /** true: counts the contacts that have a value, too. */
  @ApiProperty({ enum: ['true', 'false'], required: false, example: 'true' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'counts must be true or false' })
  counts?: 'true' | 'false';
}

/** A merge tag that a message may name. */
export class MergeTagDto {
  /**
   * Its name, without the braces
   * @example 'first_name'
   */
  tag: string;

  /**
   * What it is called on screens
   * @example 'First name'
   */
  label: string;

  /** Under which heading a menu shows it. */
  @ApiProperty({ enum: TAG_GROUPS, example: 'Contact' })
  group: TagGroup;

  /**
   * Whether its value differs by contact
   * @example true
   */
  perContact: boolean;

  /**
   * A value that it could have
   * @example 'Priya'
   */
  example: string;

  /**
   * Confirmed contacts of the chosen own lists that have a value; only with counts=true, and absent where there are too
   * many to be counted soon
   * @example 886
   */
  filled?: number;

  /**
   * All confirmed contacts of the chosen own lists; only with counts=true, and absent where there are too many to be counted soon
   * @example 1040
   */
  total?: number;
}
