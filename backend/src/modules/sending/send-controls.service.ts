import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { SendStops } from '../history/index.js';
import { CancelledRest } from './cancelled-rest.service.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import type { HistoryEntryDto } from './dto/report.dto.js';
import { SendOutcome } from './send-outcome.service.js';
import { SendReport } from './send-report.service.js';
import { SendRetries } from './send-retries.service.js';
import { sendHasEnded } from './sending.errors.js';

/** How long an answer may wait for what workers hold of a send … */
const PATIENCE_MS = 2_000;
/** … and how long for the rows of one that was cancelled: a worker does the rest. */
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
  ) {}

  async pause(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.stops.pause(this.em, id);
    await this.withdraw(id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'paused');
  }

  async resume(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    if (await this.stops.resume(this.em, id)) await this.tickets.issue(id);
    return this.stateOf(userId, id, (entry) => entry.status === 'pending' && !entry.stopped);
  }

  async cancel(userId: string, id: string): Promise<HistoryEntryDto> {
    await this.report.assertOwn(userId, id);
    await this.stops.cancel(this.em, id);
    await this.retries.drop(this.em, id);
    if (await this.rest.skip(id, REST_MS)) await this.outcome.settleIfDone(id);
    else await this.tickets.wake(id);
    return this.stateOf(userId, id, (entry) => entry.stopped === 'cancelled');
  }

  /** Takes back what workers claimed and have not begun to hand over: their claim no longer holds when they try to. */
  private async withdraw(id: string): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    do {
      await changed(
        this.em,
        `update email_delivery_logs set status = 'queued', lease_until = null
         where id in (select id from email_delivery_logs where history_id = ? and status = 'sending' and not transmitting
           and exists (select 1 from email_history where id = ? and paused_at is not null) for update skip locked)`,
        [id, id],
      );
      // Rows that a worker held at that moment: it may still give them back unsent.
      const [left] = await rows(
        this.em,
        `select 1 from email_delivery_logs d join email_history h on h.id = d.history_id
         where d.history_id = ? and d.status = 'sending' and not d.transmitting and h.paused_at is not null limit 1`,
        [id],
      );
      if (!left) return;
      await pause(20);
    } while (Date.now() < end);
  }

  /** @throws where the send is not in the state that was asked for: it had ended before */
  private async stateOf(userId: string, id: string, isAsked: (entry: HistoryEntryDto) => boolean): Promise<HistoryEntryDto> {
    const entry = await this.report.entry(userId, id);
    if (!isAsked(entry)) throw sendHasEnded(entry.stopped === 'cancelled');
    return entry;
  }
}
