import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Selects part of a collection; without `limit` the whole collection is streamed. */
export class PartQuery {
  /**
   * Rows of one page; absent: all of them
   * @example 50
   */
  @IsOptional()
  @Max(1000)
  @Min(1)
  @IsInt()
  @Type(() => Number)
  limit?: number;

  /** Cursor, from the Link header of the previous page */
  @IsOptional()
  @MaxLength(500)
  @IsString()
  cursor?: string;
}

/** Selects part of a searchable, sortable collection. */
export class PageQuery extends PartQuery {
  /**
   * Text that the rows contain
   */
  @IsOptional()
  @MaxLength(254)
  @IsString()
  search?: string;

  /**
   * Field to sort by, with a leading minus for descending, such as -createdAt
   */
  @IsOptional()
  @MaxLength(50)
  @IsString()
  sort?: string;
}
