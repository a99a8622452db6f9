import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { CONTACT_TYPE_OF_SEND } from '../../../shared/enums.js';
import { type SendRecord, SendRecords } from '../../history/index.js';
import { Audience } from '../../lists/index.js';
import { DefaultMailAccount } from '../../mail-accounts/index.js';
import { SendAudiences } from '../audience/send-audiences.service.js';
import { ADDRESS_BLOCKS } from './delivery-addresses.service.js';
import { BackgroundThrottle } from './background-throttle.service.js';
import { DeliveryTuning } from '../delivery-tuning.js';

/**
 * Planner settings for the transaction. Chunks must be read in index order: because of its statistics, PostgreSQL
 * sometimes scans and sorts the rest of a list for every chunk, which takes a second of CPU time instead of 30 ms and
 * blocks writers. Its estimate for the whole list would also trigger JIT compilation each time, which takes longer than
 * a chunk.
 */
export const NO_SORT = `set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`;

type ExpansionTarget = { send: Pick<SendRecord, 'id' | 'userId' | 'subject'>; before: number };
type Open = { listIds: string[]; lastEmail: string; laidOut: number } & Pick<
  SendRecord,
  'userId' | 'subject' | 'emailType' | 'sentAt'
>;

/**
 * Additional CTE for the statement that inserts rows `r`: records the progress of the expansion if the chunk is full.
 * Parameters: chunk size, send, chunk size.
 */
const RECORD_PROGRESS = `, progress as (
         update send_layouts l set last_email = x.last, laid_out = l.laid_out + ?::int from (select count(*) as laid, max(r.email_norm) as last from r) x
         where l.history_id = ? and x.laid = ?)`;

/**
 * Expands an audience into deliveries: a small audience in the transaction of the acceptance, a large one after the
 * answer, in chunks ordered by address. Each chunk commits with its progress, so that a crash only delays the next
 * chunk. The audience is the one at the time of acceptance.
 */
@Injectable()
export class SendExpansions {
  private newId?: string;

  constructor(
    private readonly em: EntityManager,
    private readonly audience: Audience,
    private readonly records: SendRecords,
    private readonly defaultAccount: DefaultMailAccount,
    private readonly throttle: BackgroundThrottle,
    private readonly tuning: DeliveryTuning,
    private readonly audiences: SendAudiences,
  ) {}

  /**
   * Inserts all rows at once.
   * @returns number of rows
   */
  async insertAll(em: EntityManager, send: ExpansionTarget['send'], recipients: SqlPart): Promise<number> {
    return this.insert(em, { send, before: 0 }, recipients);
  }

  /**
   * Leaves the expansion to the workers. If `listIds` is empty, the expansion covers the members of the send's own
   * audience, which a worker freezes first.
   */
  async postpone(em: EntityManager, sendId: string, listIds: readonly string[]): Promise<void> {
    await changed(em, `insert into send_layouts (history_id, list_ids) values (?, ?::jsonb)`, [
      sendId,
      JSON.stringify(listIds),
    ]);
  }

  /**
   * Inserts the next chunk.
   * @returns done: all rows exist; busy: another worker expands the send, or it waits for an earlier send of the
   * account; more: another chunk follows
   */
  async insertNextChunk(sendId: string): Promise<'done' | 'busy' | 'more'> {
    return inTransaction(this.em, async (em) => {
      const [layout] = await this.throttle.timed(() =>
        rows<Open>(
          em,
          `select l.list_ids as "listIds", l.last_email as "lastEmail", l.laid_out as "laidOut", h.user_id as "userId", h.subject, h.email_type as "emailType", h.sent_at as "sentAt", ${NO_SORT}
         from send_layouts l join email_history h on h.id = l.history_id where l.history_id = ? for update of l skip locked`,
          [sendId],
        ),
      );
      if (!layout) return (await this.isOpen(sendId)) ? 'busy' : 'done';
      const isOwnAudience = layout.listIds.length === 0;
      if (isOwnAudience) {
        const freeze = await this.freezeAudience(em, sendId, layout);
        if (freeze === 'busy') return 'busy';
        if (freeze === 'frozen') return 'more';
        if (freeze === 'cancelled') return this.end(em, sendId, 0);
      }
      const size = layout.laidOut > 0 && this.throttle.isIdle ? this.tuning.chunk : this.tuning.firstChunk;
      const page = isOwnAudience
        ? this.audiences.pageSql(sendId, { after: layout.lastEmail, limit: size })
        : this.audience.pageSql(layout.listIds, CONTACT_TYPE_OF_SEND[layout.emailType], layout.userId, {
            asOf: layout.sentAt,
            after: layout.lastEmail,
            limit: size,
          });
      const laid = await this.insert(em, { send: { ...layout, id: sendId }, before: layout.laidOut }, page, {
        sql: ADDRESS_BLOCKS + RECORD_PROGRESS,
        params: [size, sendId, size],
      });
      if (laid === size) return 'more';
      return this.end(em, sendId, layout.laidOut + laid);
    });
  }

  private async end(em: EntityManager, sendId: string, recipientCount: number): Promise<'done'> {
    await changed(em, `delete from send_layouts where history_id = ?`, [sendId]);
    await this.records.countRecipients(em, sendId, recipientCount);
    return 'done';
  }

  /** Freezes the audience if it is not frozen yet. In that case, the transaction does nothing else. */
  private freezeAudience(em: EntityManager, sendId: string, { userId, emailType, sentAt }: Open) {
    const of = { ownerId: userId, contactType: CONTACT_TYPE_OF_SEND[emailType], asOf: new Date(sentAt) };
    return this.audiences.freezeIfOpen(em, sendId, of);
  }

  /** Sends whose expansion is not finished. */
  async open(): Promise<string[]> {
    return (await rows<{ id: string }>(this.em, `select history_id as id from send_layouts order by created_at`)).map(
      ({ id }) => id,
    );
  }

  private async isOpen(sendId: string): Promise<boolean> {
    return (await rows(this.em.fork(), `select 1 from send_layouts where history_id = ?`, [sendId])).length > 0;
  }

  private async insert(
    em: EntityManager,
    { send, before }: ExpansionTarget,
    recipients: SqlPart,
    beside: SqlPart = { sql: '', params: [] },
  ): Promise<number> {
    const [found] = await rows<{ laid: number }>(
      em,
      `with r as materialized (select ?::uuid as history_id, ?::int + row_number() over () as position, p.* from (${recipients.sql}) p), laid as (
         insert into email_delivery_logs (id, user_id, history_id, position, provider_id, contact_id, email_list_id, masked, recipient_email, recipient_name, subject, status)
         select ${(this.newId ??= await newIdSql(em))}, ?, r.history_id, r.position, ?, r.contact_id, r.email_list_id, r.masked, r.email, r.name, ?, 'queued' from r), ranges as (
         insert into delivery_ranges (history_id, first_position, last_position, next_position)
         select r.history_id, min(r.position), max(r.position), min(r.position) from r group by r.history_id, (r.position - 1 - ?::int) / ?::int)${beside.sql}
       select count(*)::int as laid from r`,
      [
        send.id,
        before,
        ...recipients.params,
        send.userId,
        await this.defaultAccount.defaultId(em),
        send.subject,
        before,
        this.tuning.range,
        ...beside.params,
      ],
    );
    return found!.laid;
  }
}

/**
 * Uses ids that grow with time, so that the rows of a chunk are neighbours in the index. PostgreSQL offers them from
 * version 18 on.
 */
async function newIdSql(em: EntityManager): Promise<string> {
  const [found] = await rows<{ grow: boolean }>(em, `select to_regproc('pg_catalog.uuidv7') is not null as grow`);
  return found!.grow ? 'pg_catalog.uuidv7()' : 'gen_random_uuid()';
}
