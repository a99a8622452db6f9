import { Injectable, Logger } from '@nestjs/common';
import { Stopwatch } from '../../../shared/clock/stopwatch.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import type { Batch } from './in-flight-message.js';

/** Renews the leases of the batches that this worker delivers, and closes their start logs when the batches end. */
@Injectable()
export class BatchLeases {
  private readonly log = new Logger(BatchLeases.name);
  private readonly open = new Set<Batch>();
  private renewal?: NodeJS.Timeout;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** Keeps the leases of a batch renewed while this worker works on it. */
  hold(batch: Batch): void {
    batch.leaseMs = this.leaseMs;
    this.open.add(batch);
    this.renewal ??= setInterval(() => void this.renew().catch(() => undefined), this.leaseMs / 3).unref();
  }

  private get leaseMs(): number {
    return this.tuning.leaseSeconds * 1000;
  }

  /** Call it when all messages of the batch have their results. */
  end(batch: Batch): void {
    this.open.delete(batch);
    this.closeRecord(batch);
  }

  /** Closes the start log of a batch, and leaves it to recovery if rows of the batch are still marked. */
  closeRecord(batch: Batch): void {
    try {
      batch.common.record?.close({ keep: !batch.isReleased });
    } catch (error) {
      this.log.warn({ err: error }, 'the start log of a batch could not be closed');
    }
  }

  /** A lease that has ended stays ended, because others may have taken the rows over since. */
  private async renew(): Promise<void> {
    const batches = [...this.open];
    const sinceLeased = new Stopwatch();
    await this.claims.renew(
      batches.flatMap(({ messages }) => messages.filter(({ isOver }) => !isOver).map(({ claim }) => claim)),
    );
    for (const batch of batches) if (!batch.isLeaseOver) batch.sinceLeased = sinceLeased;
  }
}
