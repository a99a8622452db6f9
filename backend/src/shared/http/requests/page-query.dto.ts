import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

/** Selects a part of a collection. Without `limit`, the whole collection is streamed. */
export class PartQuery {
  /**
   * Maximum number of rows of a page; absent: all rows
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

/** Selects a part of a collection that can be searched and sorted. */
export class PageQuery extends PartQuery {
  /** Text to search for in the rows */
  @IsOptional()
  @MaxLength(254)
  @IsString()
  search?: string;

  /** Field to sort by; a leading minus sorts in descending order, such as -createdAt */
  @IsOptional()
  @MaxLength(50)
  @IsString()
  sort?: string;
}
