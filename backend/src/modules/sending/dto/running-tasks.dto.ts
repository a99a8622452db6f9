import { ApiProperty } from '@nestjs/swagger';
import { HISTORY_STATUSES, type HistoryStatus } from '../../../shared/words/history-status.js';
import { SEND_STOPS, type SendStop } from '../../../shared/words/send-stop.js';
import { RecentImportDto } from '../../lists/index.js';
import { DeliveryCountsDto } from './report.dto.js';

/** A send that is under way, or that ended a moment ago. */
export class RunningSendDto {
  /**
   * The send
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * Its subject
   * @example 'Senior Java developer'
   */
  subject: string;

  /** Status of the send. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'pending' })
  status: HistoryStatus;

  /** What its sender did to it, if anything. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;

  /**
   * Recipients, as a numeric string
   * @example '408'
   */
  recipientCount: string;

  /** How many recipients stand where. */
  counts: DeliveryCountsDto;

  /** When it ended; null while it is under way */
  @ApiProperty({ type: String, nullable: true, example: null })
  endedAt: string | null;
}

/** What runs for the account, the newest first, at most 20 of each; what ended within the last two minutes is still among it. */
export class RunningTasksDto {
  /** Sends. */
  sends: RunningSendDto[];

  /** Imports. */
  imports: RecentImportDto[];
}
