import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SuppressionPolicy } from '../bounces/index.js';
import {
  CancelRemaining,
  DeliveryBacklogs,
  DeliveryJobs,
  sendHasEnded,
  SendFinalizer,
  SendRetries,
} from '../delivery/index.js';
import { SendStates } from '../history/index.js';
import type { HistoryEntryDto } from './report/report.dto.js';
import { SendReport } from './report/send-report.service.js';

/**
 * Maximum time in milliseconds for which the response waits until the rows of a cancelled send are settled. A worker
 * settles the remaining rows.
 */
const SETTLE_WAIT_MS = 200;

/** Pauses, resumes and cancels running sends. The database decides races. Repeating a call changes nothing. */
@Injectable()
export class SendControls {
  constructor(
    private readonly em: EntityManager,
    private readonly states: SendStates,
    private readonly report: SendReport,
    private readonly retries: SendRetries,
    private readonly remaining: CancelRemaining,
    private readonly finalizer: SendFinalizer,
    private readonly suppressionPolicy: SuppressionPolicy,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly backlogs: DeliveryBacklogs,
  ) {}

  async pause(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.states.pause(this.em, id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'paused');
  }

  async resume(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    if (await this.states.resume(this.em, id)) {
      await this.backlogs.wake(id);
      await this.deliveryJobs.announceDue(id);
    }
    return this.stateOf(userId, id, (entry) => entry.status === 'pending' && !entry.stopped);
  }

  async cancel(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.states.cancel(this.em, id);
    await this.retries.drop(this.em, id);
    // If messages remain to be settled or refusals to be judged, a worker finishes the cancellation.
    if (!(await this.remaining.skip(id, SETTLE_WAIT_MS)) || (await this.suppressionPolicy.isOpen(id)))
      await this.deliveryJobs.wake(id);
    else await this.finalizer.finalize(id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'cancelled');
  }

  /**
   * Reads the send after a change.
   * @throws 409 if the send is not in the requested state, because it had already ended
   */
  private async stateOf(
    userId: string,
    id: string,
    isAsked: (entry: HistoryEntryDto) => boolean,
  ): Promise<HistoryEntryDto> {
    const entry = await this.report.entry(userId, id);
    if (!isAsked(entry)) throw sendHasEnded(entry.stopped === 'cancelled');
    return entry;
  }
}
