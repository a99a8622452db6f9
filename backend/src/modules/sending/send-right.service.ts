import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../auth/index.js';
import { HistoryBook } from '../history/index.js';

/** How long an answer is good for. */
const ASKED_EVERY_MS = 1_000;
const KEPT = 100;

/** An accepted send. */
export interface AcceptedSend {
  id: string;
  userId: string;
  acceptedAt: Date;
}

/**
 * Whether the account may still mail a send that it was allowed to start: one whose plan has ended since keeps as many sends of the day as the
 * plan that is left to it allows.
 */
@Injectable()
export class SendRight {
  private readonly known = new Map<string, { holds: boolean; goodUntil: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly book: HistoryBook,
  ) {}

  /** Asks at most once a second for each send. */
  async holds(send: AcceptedSend): Promise<boolean> {
    const known = this.known.get(send.id);
    if (known && known.goodUntil > performance.now()) return known.holds;
    const holds = await this.ask(send);
    this.known.delete(send.id);
    this.known.set(send.id, { holds, goodUntil: performance.now() + ASKED_EVERY_MS });
    if (this.known.size > KEPT) this.known.delete(this.known.keys().next().value!);
    return holds;
  }

  private async ask({ id, userId, acceptedAt }: AcceptedSend): Promise<boolean> {
    const left = await this.accounts.limitAfterPlanSince(userId, new Date(acceptedAt));
    return left === null || (await this.book.placeOfDay(this.em.fork(), id)) <= left;
  }
}
