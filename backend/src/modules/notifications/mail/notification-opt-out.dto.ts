import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn } from 'class-validator';
import { CHOSEN_KINDS, type ChosenKind } from '../notification-kinds.js';

/** Kinds of notification that are no longer to be mailed. */
export class NotificationOptOutDto {
  /** The kinds to stop mailing. */
  @ApiProperty({ enum: CHOSEN_KINDS, isArray: true, example: ['send.finished'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(CHOSEN_KINDS.length)
  @IsIn(CHOSEN_KINDS, { each: true })
  kinds: ChosenKind[];
}
