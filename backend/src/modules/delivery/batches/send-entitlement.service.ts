import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Accounts } from '../../auth/index.js';
import { SendRecords } from '../../history/index.js';

/** Ms for which an answer is cached. */
const CACHE_MS = 1_000;
const MAX_CACHED_ANSWERS = 100;

/** An accepted send. */
export interface AcceptedSend {
  id: string;
  userId: string;
  acceptedAt: Date;
}

/**
 * Decides whether an account may still deliver a send that it was allowed to start. When a plan ends, the account may
 * still deliver as many of the day's sends as the remaining plan allows.
 */
@Injectable()
export class SendEntitlement {
  private readonly known = new Map<string, { holds: boolean; goodUntil: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly records: SendRecords,
  ) {}

  /** Whether the send may still be delivered. Queries the database at most once a second per send. */
  async holds(send: AcceptedSend): Promise<boolean> {
    const known = this.known.get(send.id);
    if (known && known.goodUntil > performance.now()) return known.holds;
    const holds = await this.ask(send);
    this.known.delete(send.id);
    this.known.set(send.id, { holds, goodUntil: performance.now() + CACHE_MS });
    if (this.known.size > MAX_CACHED_ANSWERS) this.known.delete(this.known.keys().next().value!);
    return holds;
  }

  private async ask({ id, userId, acceptedAt }: AcceptedSend): Promise<boolean> {
    const left = await this.accounts.limitAfterPlanSince(userId, new Date(acceptedAt));
    return left === null || (await this.records.numberWithinDay(this.em.fork(), id)) <= left;
  }
}
