import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { TAG_GROUPS, type TagGroup } from './tag-catalogue.js';

const toArray = ({ value }: { value: unknown }): unknown =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(',').filter(Boolean) : [one],
  );

/** The lists for which merge tags are read, and whether to count values. */
export class MergeTagQuery {
  /**
   * Ids of the chosen lists, repeated or separated by commas; absent if no list is chosen yet
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ApiProperty({ type: [String], required: false })
  @IsOptional()
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsString({ each: true, message: 'Email list not found' })
  @IsArray()
  @Transform(toArray)
  emailListIds?: string[];

  /** true also counts the contacts that have a value. */
  @ApiProperty({ enum: ['true', 'false'], required: false, example: 'true' })
  @IsOptional()
  @IsIn(['true', 'false'], { message: 'counts must be true or false' })
  counts?: 'true' | 'false';
}

/** A merge tag that a message may name. */
export class MergeTagDto {
  /**
   * Name of the tag, without the braces
   * @example 'first_name'
   */
  tag: string;

  /**
   * Name of the tag on screens
   * @example 'First name'
   */
  label: string;

  /** Heading under which a menu shows the tag. */
  @ApiProperty({ enum: TAG_GROUPS, example: 'Contact' })
  group: TagGroup;

  /**
   * Whether the value differs between contacts
   * @example true
   */
  perContact: boolean;

  /**
   * An example of a value
   * @example 'Priya'
   */
  example: string;

  /**
   * Number of confirmed contacts of the chosen own lists that have a value; only with counts=true, and absent if there
   * are too many to count quickly
   * @example 886
   */
  filled?: number;

  /**
   * Number of all confirmed contacts of the chosen own lists; only with counts=true, and absent if there are too many
   * to count quickly
   * @example 1040
   */
  total?: number;
}
