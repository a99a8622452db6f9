import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/rows.js';
import { Suppressions } from '../../lists/index.js';
import type { FaultClass } from '../entities/bounce-report.entity.js';

interface Fault {
  id: string;
  class: FaultClass;
  code: string | null;
  addressHash: Buffer;
  userId: string | null;
  mailId: string;
  /** Null where its delivery is gone or it was a system mail. */
  address: string | null;
  masked: boolean | null;
}

/** Codes after which one refusal is enough. */
const CERTAIN = new Set(['5.1.1', '5.1.6', '5.1.10']);
const BOUNCE_DAYS = 90;
const SECOND_HARD_DAYS = 30;
const SOFT_SENDS = 3;
const SOFT_DAYS = 7;

const COLUMNS = `r.id, r.class, r.code, r.address_hash as "addressHash", r.user_id as "userId", r.mail_id as "mailId", d.recipient_email as address, d.masked
  from bounce_reports r left join email_delivery_logs d on d.id = r.mail_id and r.mail_kind = 'delivery'`;

/** Draws from reports what they mean for their address: only address-level bounces and complaints suppress (decisions.md D29). */
@Injectable()
export class AddressFaults {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: Suppressions,
  ) {}

  /** Settles what the SMTP dialogues of a send left behind; returns once nothing of it is open. */
  async applyOfSend(historyId: string): Promise<void> {
    const open = await rows<{ id: string }>(this.em, `select id from bounce_reports where history_id = ? and applied_at is null order by address_hash`, [historyId]);
    for (const { id } of open) await this.em.fork().transactional((em) => this.apply(em as EntityManager, id));
  }

  /** Within the caller's transaction; a report counts once. */
  async apply(em: EntityManager, reportId: string): Promise<void> {
    const [fault] = await rows<Fault>(em, `select ${COLUMNS} where r.id = ? and r.applied_at is null for update of r`, [reportId]);
    if (!fault) return;
    // Two reports on one address at once would each miss the other's.
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`address-fault:${fault.addressHash.toString('hex')}`]);
    if (fault.class === 'complaint') await this.complained(em, fault);
    else if (await this.isDead(em, fault)) await this.suppress(em, fault, 'all');
    await changed(em, `update bounce_reports set applied_at = now() where id = ?`, [reportId]);
  }

  private async isDead(em: EntityManager, fault: Fault): Promise<boolean> {
    if (fault.class === 'hard-address') return (fault.code !== null && CERTAIN.has(fault.code)) || this.isSecondHard(em, fault);
    return (fault.class === 'mailbox-soft' || fault.class === 'expired') && this.isLastingSoft(em, fault);
  }

  private async isSecondHard(em: EntityManager, { addressHash }: Fault): Promise<boolean> {
    const [count] = await rows<{ n: number }>(
      em,
      `select count(distinct mail_id)::int as n from bounce_reports
       where address_hash = ? and class = 'hard-address' and created_at > now() - make_interval(days => ?::int)`,
      [addressHash, SECOND_HARD_DAYS],
    );
    return count!.n >= 2;
  }

  /** Three sends over a week, and none to this address that arrived since the first. */
  private async isLastingSoft(em: EntityManager, { addressHash }: Fault): Promise<boolean> {
    const [found] = await rows<{ lasting: boolean }>(
      em,
      `with arrived as (
         select coalesce(max(d.sent_at), '-infinity') as at from subscriptions c join email_delivery_logs d on d.contact_id = c.id
         where c.email_hash = ? and d.status = 'sent' and d.sent_at is not null)
       select count(distinct r.history_id) >= ?::int and max(r.created_at) - min(r.created_at) >= make_interval(days => ?::int) as lasting
       from bounce_reports r, arrived
       where r.address_hash = ? and r.class in ('mailbox-soft', 'expired') and r.history_id is not null and r.created_at > arrived.at`,
      [addressHash, SOFT_SENDS, SOFT_DAYS, addressHash],
    );
    return found?.lasting === true;
  }

  /** The first complaint ends this sender's mail, that of a second sender everyone's. */
  private async complained(em: EntityManager, fault: Fault): Promise<void> {
    if (fault.userId) await this.suppress(em, fault, 'owner');
    if (fault.masked) await this.suppress(em, fault, 'network');
    const [count] = await rows<{ n: number }>(
      em,
      `select count(distinct user_id)::int as n from bounce_reports where address_hash = ? and class = 'complaint'`,
      [fault.addressHash],
    );
    if (count!.n >= 2) await this.suppress(em, fault, 'all');
  }

  private async suppress(em: EntityManager, fault: Fault, scope: 'owner' | 'network' | 'all'): Promise<void> {
    const isComplaint = fault.class === 'complaint';
    await this.suppressions.add(em, {
      scope, ownerId: scope === 'owner' ? fault.userId : null, addressHash: fault.addressHash, addressNorm: fault.address?.toLowerCase() ?? null,
      reason: isComplaint ? 'complained' : 'bounced', sourceDeliveryId: fault.mailId, days: isComplaint ? null : BOUNCE_DAYS,
    });
  }
}
