import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { EventBus } from '../../shared/events/event-bus.js';
import { AuditTrail } from './audit-trail.service.js';

/** How long the person waits for the erasure of a large account; it goes on without. */
const ANSWER_MS = 5_000;

/** Erases what deleted accounts hold: their rows' foreign keys and triggers take the rest along, unsubscribe links and suppressions stay. */
@Injectable()
export class AccountErasure {
  private readonly log = new Logger(AccountErasure.name);

  constructor(private readonly em: EntityManager, private readonly events: EventBus, private readonly audit: AuditTrail) {}

  /** Erases one account, and returns once it is done or has taken a while. */
  async eraseSoon(userId: string): Promise<void> {
    const work = this.erase(userId).catch((error: unknown) => this.log.warn({ err: error, userId }, 'an erasure failed; the sweep does it again'));
    await Promise.race([work, pause(ANSWER_MS, undefined, { ref: false })]);
  }

  /** All that a crash or a failure left over. */
  async eraseLeftOver(): Promise<void> {
    const left = await rows<{ id: string }>(this.em.fork(), `select id from users where deleted_at < now() - interval '1 minute' order by deleted_at limit 100`);
    for (const { id } of left) await this.erase(id).catch((error: unknown) => this.log.error({ err: error, userId: id }, 'an erasure failed'));
  }

  /** Told before the rows go, so that a crash in between tells again and never keeps silent: listeners take it twice. */
  private async erase(userId: string): Promise<void> {
    const [held] = await rows<{ stripeCustomerId: string | null }>(
      this.em.fork(), `select stripe_customer_id as "stripeCustomerId" from users where id = ? and deleted_at is not null`, [userId],
    );
    if (!held) return;
    await this.events.emit('user.deleted', { userId, stripeCustomerId: held.stripeCustomerId });
    await this.em.fork().transactional(async (em) => {
      const mine = await rows(em, `select 1 from users where id = ? and deleted_at is not null for update skip locked`, [userId]);
      if (mine.length === 0) return;
      // What was written down since the account was closed.
      await this.audit.pseudonymise(em, { userId, email: '', emailNorm: '' });
      await changed(em, `delete from users where id = ?`, [userId]);
    });
  }
}
