import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import { CancelRemaining } from '../cancel-remaining.service.js';
import { ResultLog } from './result-log.service.js';
import { StartLog } from './start-log.service.js';

export interface Recovery {
  /** Number of messages that were requeued. */
  requeued: number;
  /** Database time, taken before the logs were read. Rows whose leases ended later are left to the next recovery. */
  leasesEndedBefore: string;
}

/**
 * Brings the rows of dead workers up to date with the logs that this machine can read. Must run before such rows are
 * judged, because the logs know which of their messages were delivered and which never left.
 */
@Injectable()
export class LogRecovery implements OnModuleInit {
  private running?: Promise<Recovery>;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly resultLog: ResultLog,
    private readonly startLog: StartLog,
    private readonly remaining: CancelRemaining,
  ) {}

  onModuleInit(): void {
    this.remaining.recoverLogsBy(() => this.recover());
  }

  /**
   * Writes logged results to their rows, and requeues messages that were marked but not begun. Concurrent calls share
   * one run, so its time may precede the call.
   * @throws if the database fails
   */
  recover(): Promise<Recovery> {
    return (this.running ??= this.run().finally(() => (this.running = undefined)));
  }

  /**
   * Takes the time first. A worker does nothing with a row after its lease, so the logs of leases that have ended by
   * then are complete.
   */
  private async run(): Promise<Recovery> {
    const leasesEndedBefore = await this.claims.databaseTime();
    await this.resultLog.recover();
    return { requeued: await this.startLog.recover(leasesEndedBefore), leasesEndedBefore };
  }
}
