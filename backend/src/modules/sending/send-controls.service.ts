import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { SendStops } from '../history/index.js';
import { CancelledRest } from './cancelled-rest.service.js';
import { DeliveryBacklogs } from './delivery-backlogs.service.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import type { HistoryEntryDto } from './dto/report.dto.js';
import { SendOutcome } from './send-outcome.service.js';
import { SendReport } from './send-report.service.js';
import { SendRetries } from './send-retries.service.js';
import { sendHasEnded } from './sending.errors.js';

/** How long an answer may wait for the rows of a send that was cancelled: a worker does the rest. */
const REST_MS = 200;

/** Pausing, resuming and cancelling a running send. The database settles who was first; pressing twice changes nothing more. */
@Injectable()
export class SendControls {
  constructor(
    private readonly em: EntityManager,
    private readonly stops: SendStops,
    private readonly report: SendReport,
    private readonly retries: SendRetries,
    private readonly rest: CancelledRest,
    private readonly outcome: SendOutcome,
    private readonly tickets: DeliveryTickets,
    private readonly backlogs: DeliveryBacklogs,
  ) {}

  async pause(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.stops.pause(this.em, id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'paused');
  }

  async resume(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    if (await this.stops.resume(this.em, id)) {
      await this.backlogs.wake(id);
      await this.tickets.issue(id);
    }
    return this.stateOf(userId, id, (entry) => entry.status === 'pending' && !entry.stopped);
  }

  async cancel(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.stops.cancel(this.em, id);
    await this.retries.drop(this.em, id);
    if (!(await this.rest.skip(id, REST_MS)) || !(await this.outcome.settleIfJudged(id))) await this.tickets.wake(id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'cancelled');
  }

  /** @throws where the send is not in the state that was asked for: it had ended before */
  private async stateOf(userId: string, id: string, isAsked: (entry: HistoryEntryDto) => boolean): Promise<HistoryEntryDto> {
    const entry = await this.report.entry(userId, id);
    if (!isAsked(entry)) throw sendHasEnded(entry.stopped === 'cancelled');
    return entry;
  }
}
