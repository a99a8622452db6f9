import { ApiProperty } from '@nestjs/swagger';
import { HISTORY_STATUSES, type HistoryStatus, SEND_STOPS, type SendStop } from '../../../shared/enums.js';
import { BulkJobDto } from '../../contacts/index.js';
import { RecentImportDto } from '../../lists/index.js';
import { DeliveryCountsDto } from './report.dto.js';

/** A send that is running, or that ended within the last two minutes. */
export class RunningSendDto {
  /**
   * Id of the send
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * Subject of the send
   * @example 'Senior Java developer'
   */
  subject: string;

  /** Status of the send. */
  @ApiProperty({ enum: HISTORY_STATUSES, example: 'pending' })
  status: HistoryStatus;

  /** Set if the sender has paused or cancelled the send. */
  @ApiProperty({ enum: SEND_STOPS, required: false, example: 'paused' })
  stopped?: SendStop;

  /**
   * Number of recipients, as a numeric string
   * @example '408'
   */
  recipientCount: string;

  /** Number of recipients by status. */
  counts: DeliveryCountsDto;

  /** When it ended; null while it is running */
  @ApiProperty({ type: String, nullable: true, example: null })
  endedAt: string | null;
}

/**
 * Tasks of the account that are running, or that ended within the last two minutes. Newest first, at most 20 of each
 * kind.
 */
export class RunningTasksDto {
  /** Sends, newest first. */
  sends: RunningSendDto[];

  /** Imports, newest first. */
  imports: RecentImportDto[];

  /** Bulk changes of contacts, newest first. */
  bulk: BulkJobDto[];
}
