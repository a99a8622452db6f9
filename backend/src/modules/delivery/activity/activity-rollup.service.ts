import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { inTransaction, rows, type SqlPart, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { profileOfAddressSql, recordActivity } from '../../contacts/index.js';
import { type ActivityPass, SendActivity } from '../../history/index.js';
import { profileOfContactSql } from '../../lists/index.js';
import { SendAudiences } from '../audience/send-audiences.service.js';
import { MAX_BATCH, nextBatchSize } from './rollup-batch-size.js';

/** SQL of the profile of a delivery `d`; if the contact was removed meanwhile, the profile is found by address. */
export const PROFILE = `coalesce(${profileOfContactSql('d.contact_id')}, ${profileOfAddressSql('d.user_id', 'd.recipient_email')})`;

/**
 * Writes the deliveries of ended sends into the activity of the people they went to, some thousand at a time. Each
 * batch commits together with its position, so that after a crash no delivery is counted twice. Omits messages that no
 * mail server accepted, and addresses of the shared network, which have no profile.
 */
@Injectable()
export class ActivityRollup {
  private batchSize = MAX_BATCH;

  constructor(
    private readonly em: EntityManager,
    private readonly sends: SendActivity,
    private readonly audiences: SendAudiences,
  ) {}

  /**
   * Writes the next batch of one send.
   * @param failed ids of sends to skip; a send whose batch fails is added
   * @returns whether there may be more batches
   */
  async batch(failed: Set<string> = new Set()): Promise<boolean> {
    let pass: ActivityPass | null = null;
    const size = this.batchSize;
    let tookMs = 0;
    try {
      await retryDeadlocks(() =>
        inTransaction(this.em, async (em) => {
          pass = await this.sends.claim(em, [...failed]);
          const start = performance.now();
          if (pass) await this.write(em, pass, size);
          tookMs = performance.now() - start;
        }),
      );
      if (pass) this.batchSize = nextBatchSize(size, tookMs);
    } catch (error) {
      if (pass) failed.add((pass as ActivityPass).id);
      throw error;
    }
    return pass !== null;
  }

  /** Records a bounce at once, within the transaction of its report. */
  async recordBounce(em: EntityManager, deliveryId: string): Promise<void> {
    await recordActivity(em, {
      sql: `select ${PROFILE} as profile_id, null::timestamptz as mailed_at, now() as bounced_at from email_delivery_logs d where d.id = ? and not d.masked`,
      params: [deliveryId],
    });
  }

  private async write(em: EntityManager, pass: ActivityPass, size: number): Promise<void> {
    await withoutTimeLimit(em);
    const end = pass.position + size;
    await recordActivity(em, messagesOf(pass, end));
    const more = await rows(
      em,
      `select 1 from email_delivery_logs where history_id = ? and position > ? order by position limit 1`,
      [pass.id, end],
    );
    if (more.length > 0) await this.sends.advance(em, pass.id, end);
    else {
      await this.sends.finish(em, pass.id);
      await this.audiences.forgetMembers(em, pass.id);
    }
  }
}

/** SQL condition on a delivery `d`: the mail server refused it because the address does not exist. */
const REFUSED = `(d.status = 'failed' and d.metadata ->> 'class' = 'hard-address')`;

/**
 * SQL of the messages of one batch. The first pass includes unconfirmed messages, which have no time of acceptance but
 * may have been accepted. An address that was refused in the SMTP dialogue counts as bounced.
 */
function messagesOf({ id, position, since, until }: ActivityPass, end: number): SqlPart {
  const isOfPass = since
    ? { sql: 'd.sent_at > ?::timestamptz and d.sent_at <= ?::timestamptz', params: [since, until] }
    : { sql: `(d.sent_at <= ?::timestamptz or (d.sent_at is null and d.status = 'unconfirmed'))`, params: [until] };
  return {
    sql: `select ${PROFILE} as profile_id, case when ${isOfPass.sql} then coalesce(d.sent_at, h.sent_at) end as mailed_at,
        case when d.status = 'bounced' then coalesce((d.metadata ->> 'bouncedAt')::timestamptz, d.sent_at) when ${REFUSED} then coalesce(h.settled_at, h.sent_at) end as bounced_at
      from email_delivery_logs d join email_history h on h.id = d.history_id
      where d.history_id = ? and d.position > ? and d.position <= ? and not d.masked and (${isOfPass.sql} or d.status = 'bounced' or ${REFUSED})`,
    params: [...isOfPass.params, id, position, end, ...isOfPass.params],
  };
}
