import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { SendFinalizer } from '../delivery/index.js';
import { type BouncedAddress, Suppressions } from '../lists/index.js';
import type { FaultClass } from './bounce-report.entity.js';

interface Fault {
  id: string;
  class: FaultClass;
  code: string | null;
  addressHash: Buffer;
  userId: string | null;
  mailId: string;
  /** Address of the recipient; null for a system mail or a deleted delivery. */
  address: string | null;
  masked: boolean | null;
}

/** Enhanced status codes for which a single refusal proves that the address does not exist. */
const UNKNOWN_ADDRESS_CODES = ['5.1.1', '5.1.6', '5.1.10'];
const BOUNCE_DAYS = 90;
const SECOND_HARD_DAYS = 30;
const SOFT_SENDS = 3;
const SOFT_DAYS = 7;
/** Maximum reports that one transaction judges. */
const REPORTS_PER_TRANSACTION = 1_000;
/**
 * Advisory lock, because two concurrent judgements on one address would each miss the other's report. A batch holds the
 * lock exclusively. Single judgements share it, and also lock their address.
 */
export const JUDGING_LOCK = `hashtextextended('sending.address-faults', 0)`;

const COLUMNS = `r.id, r.class, r.code, r.address_hash as "addressHash", r.user_id as "userId", r.mail_id as "mailId", d.recipient_email as address, d.masked
  from bounce_reports r left join email_delivery_logs d on d.id = r.mail_id and r.mail_kind = 'delivery'`;

/**
 * Derives suppressions from reports. Only address-level bounces and complaints suppress an address; see decisions.md:
 * bounce-classes.
 */
@Injectable()
export class SuppressionPolicy implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly suppressions: Suppressions,
    private readonly finalizer: SendFinalizer,
  ) {}

  /** Judges refusals before their send ends, because the sender may start the next send at once. */
  onModuleInit(): void {
    this.finalizer.beforeSettling((sendId) => this.applyOfSend(sendId));
  }

  /** Whether a send has refusals that are not judged yet. */
  async isOpen(historyId: string): Promise<boolean> {
    return (
      (
        await rows(this.em, `select 1 from bounce_reports where history_id = ? and applied_at is null limit 1`, [
          historyId,
        ])
      ).length > 0
    );
  }

  /** Judges all refusals of a send that are not judged yet. */
  async applyOfSend(historyId: string): Promise<void> {
    while (await this.isOpen(historyId)) await this.judge(historyId);
  }

  /**
   * Judges refusals of all sends while these are still running, so that other sends skip the same dead addresses.
   * @param batches maximum number of batches
   */
  async applyOpen(batches: number): Promise<void> {
    for (let batch = 0; batch < batches && (await this.judge(null)) === REPORTS_PER_TRANSACTION; batch++);
  }

  /**
   * Judges the next batch of reports that are not judged yet, in one transaction.
   * @param historyId only reports on this send; null: on all sends
   * @returns how many reports were judged
   */
  private judge(historyId: string | null): Promise<number> {
    return inTransaction(this.em, async (em) => {
      await rows(em, `select pg_advisory_xact_lock(${JUDGING_LOCK})`);
      const judged = await rows<BouncedAddress & { ids: string[]; isDead: boolean }>(em, SELECT_OPEN_REPORTS, [
        historyId,
        historyId,
        REPORTS_PER_TRANSACTION,
      ]);
      await this.suppressions.addBounced(
        em,
        judged.filter(({ isDead }) => isDead),
        BOUNCE_DAYS,
      );
      const ids = judged.flatMap((address) => address.ids);
      if (ids.length > 0)
        await changed(
          em,
          `update bounce_reports set applied_at = now() where id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
          [JSON.stringify(ids)],
        );
      return ids.length;
    });
  }

  /** Judges one report within the caller's transaction; does nothing if it was judged before. */
  async apply(em: EntityManager, reportId: string): Promise<void> {
    const [fault] = await rows<Fault>(em, `select ${COLUMNS} where r.id = ? and r.applied_at is null for update of r`, [
      reportId,
    ]);
    if (!fault) return;
    await rows(em, `select pg_advisory_xact_lock_shared(${JUDGING_LOCK})`);
    // Serialises the reports on one address, because two concurrent judgements would each miss the other's report.
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [
      `address-fault:${fault.addressHash.toString('hex')}`,
    ]);
    if (fault.class === 'complaint') await this.complained(em, fault);
    else if (await this.isDead(em, fault)) await this.suppress(em, fault, 'all');
    await changed(em, `update bounce_reports set applied_at = now() where id = ?`, [reportId]);
  }

  private async isDead(em: EntityManager, fault: Fault): Promise<boolean> {
    if (fault.class === 'hard-address')
      return (fault.code !== null && UNKNOWN_ADDRESS_CODES.includes(fault.code)) || this.isSecondHard(em, fault);
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

  /**
   * Whether the address soft-bounced in three sends over at least a week since the last message was delivered to it.
   */
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

  /** The first complaint stops this sender's mail to the address; complaints to two senders stop all mail to it. */
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
      scope,
      ownerId: scope === 'owner' ? fault.userId : null,
      addressHash: fault.addressHash,
      addressNorm: fault.address?.toLowerCase() ?? null,
      reason: isComplaint ? 'complained' : 'bounced',
      sourceDeliveryId: fault.mailId,
      days: isComplaint ? null : BOUNCE_DAYS,
    });
  }
}

/**
 * SQL condition on an address `a`, the batch version of `isLastingSoft`: it soft-bounced in three sends over at least a
 * week since the last message was delivered to it.
 */
const LASTING_SOFT = `coalesce((
    select case when count(distinct r.history_id) < ${SOFT_SENDS} or max(r.created_at) - min(r.created_at) < interval '${SOFT_DAYS} days' then false else (
      select count(distinct s.history_id) >= ${SOFT_SENDS} and max(s.created_at) - min(s.created_at) >= interval '${SOFT_DAYS} days'
      from bounce_reports s
      where s.address_hash = a.address_hash and s.class in ('mailbox-soft', 'expired') and s.history_id is not null and s.created_at > (
        select coalesce(max(d.sent_at), '-infinity') from subscriptions c join email_delivery_logs d on d.contact_id = c.id where c.email_hash = a.address_hash and d.status = 'sent' and d.sent_at is not null)) end
    from bounce_reports r where r.address_hash = a.address_hash and r.class in ('mailbox-soft', 'expired') and r.history_id is not null), false)`;

/**
 * Reports that are not judged yet, grouped by address, and whether the address is dead by the same rules as in
 * `isDead`. Omits complaints, which BounceHandler judges on arrival. Parameters: send id or null, twice; maximum number
 * of reports.
 */
const SELECT_OPEN_REPORTS = `
  with open as materialized (
    select r.id, r.address_hash, r.class, r.code, r.mail_id, r.created_at from bounce_reports r
    where r.applied_at is null and r.class <> 'complaint' and (?::uuid is null or r.history_id = ?::uuid) limit ? for update of r
  ), a as materialized (
    select o.address_hash, array_agg(o.id) as ids, (array_agg(o.mail_id order by o.created_at))[1] as mail_id,
      bool_or(o.class = 'hard-address' and o.code in (${UNKNOWN_ADDRESS_CODES.map((code) => `'${code}'`).join(', ')})) as certain,
      bool_or(o.class = 'hard-address') as hard, bool_or(o.class in ('mailbox-soft', 'expired')) as soft
    from open o group by o.address_hash
  )
  select a.address_hash as "addressHash", a.ids, a.mail_id as "sourceDeliveryId", lower(d.recipient_email) as "addressNorm",
    case when coalesce(a.certain, false) then true
      when a.hard and (select count(distinct r.mail_id) from bounce_reports r
        where r.address_hash = a.address_hash and r.class = 'hard-address' and r.created_at > now() - interval '${SECOND_HARD_DAYS} days') >= 2 then true
      when a.soft then ${LASTING_SOFT} else false end as "isDead"
  from a left join email_delivery_logs d on d.id = a.mail_id`;
