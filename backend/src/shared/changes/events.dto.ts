import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Min } from 'class-validator';
import { CHANGE_KINDS, type ChangeKind } from './account-change.js';

/** Query of the event stream. */
export class EventsQuery {
  /**
   * Age of the oldest data on the screen, in milliseconds. Changes since then are sent at once. Absent if nothing is
   * shown yet
   * @example 4000
   */
  @IsOptional()
  @Min(0)
  @IsInt()
  @Type(() => Number)
  age?: number;
}

/** Payload of a `change` event. */
export class ChangeEventDto {
  /** What changed. */
  @ApiProperty({ enum: CHANGE_KINDS, example: 'contacts' })
  kind: ChangeKind;

  /**
   * Ids of the changed lists, profiles, bulk changes, imports, files, sends or mail accounts; for `admin`, the kinds of
   * the changes. Absent if any object of the kind may have changed
   * @example ['4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10']
   */
  ids?: string[];
}
