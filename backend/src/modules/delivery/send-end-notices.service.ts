import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import type { SendTotalsReader } from '../history/index.js';
import { Notifications, type StopReason } from '../notifications/index.js';
import { WITHDRAWN } from './message/attachment.registry.js';

/** Number of messages at the start of a send that are examined to find out why the send reached nobody. */
const LOOKED_AT = 200;

interface EndedSend {
  userId: string;
  subject: string;
  recipients: number;
  seconds: number;
  isCancelled: boolean;
}

/**
 * Notifies the sender that a send has ended, in the transaction that ends it. Does not report a cancelled send, because
 * its sender cancelled it.
 */
@Injectable()
export class SendEndNotices {
  constructor(private readonly notifications: Notifications) {}

  async write(
    em: EntityManager,
    sendId: string,
    outcome: 'sent' | 'failed',
    totals: Awaited<ReturnType<SendTotalsReader['ofSend']>>,
  ): Promise<void> {
    const [send] = await rows<EndedSend>(
      em,
      `select user_id as "userId", subject, recipient_count as recipients, extract(epoch from now() - sent_at)::int as seconds, cancelled_at is not null as "isCancelled"
       from email_history where id = ?`,
      [sendId],
    );
    if (!send || send.isCancelled) return;
    const { userId, subject, recipients, seconds } = send;
    const groupKey = `send:${sendId}`;
    if (outcome === 'failed') {
      const params = { sendId, subject, reason: await this.reasonOf(em, sendId) };
      return this.notifications.add(em, { userId, kind: 'send.stopped', groupKey, params });
    }
    const delivered = totals.sent + totals.unconfirmed + totals.complained;
    const params = { sendId, subject, delivered, recipients, seconds };
    await this.notifications.add(em, { userId, kind: 'send.finished', groupKey, params });
  }

  /** The most frequent reason among the first messages. */
  private async reasonOf(em: EntityManager, sendId: string): Promise<StopReason> {
    const [found] = await rows<{ why: string | null }>(
      em,
      `select case when status = 'skipped' and metadata ->> 'reason' = ? then 'lost' when status = 'skipped' and metadata ->> 'reason' = any(?::text[]) then 'withdrawn' when status = 'skipped' then 'skipped' else metadata ->> 'class' end as why
       from (select status, metadata from email_delivery_logs where history_id = ? order by position limit ?) first group by 1 order by count(*) desc, 1 limit 1`,
      [WITHDRAWN.lost, Object.values(WITHDRAWN), sendId, LOOKED_AT],
    );
    if (!found || found.why === 'skipped') return 'nobody';
    return REASONS[found.why ?? ''] ?? 'refused';
  }
}

/** Reason by class of refusal. `withdrawn` and `lost` refer to attached files. */
const REASONS: Record<string, StopReason> = {
  withdrawn: 'file_withdrawn',
  lost: 'file_lost',
  'hard-address': 'unknown_addresses',
  expired: 'unreachable',
  connection: 'unreachable',
};
