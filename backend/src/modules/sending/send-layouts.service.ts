import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { CONTACT_TYPE_OF_SEND } from '../../shared/words/contact-type.js';
import { HistoryBook, type Entry } from '../history/index.js';
import { Audience, type SqlPart } from '../lists/index.js';
import { ADDRESS_BLOCKS } from './delivery-addresses.service.js';
import { Courtesy } from './courtesy.service.js';
import { EmailProviders } from './email-providers.service.js';
import { SendingTuning } from './sending-tuning.js';

/**
 * For the transaction, chunks are read in the order of an index. By its statistics PostgreSQL at times prefers to look at all the rest of
 * a list and to sort it, for every chunk anew: a second of processor where 30 ms do, in which nobody else writes what it reads.
 * And by its guess of the whole list's cost it would compile the statement, each time, for longer than a chunk takes.
 */
export const IN_ORDER = `set_config('enable_sort', 'off', true), set_config('jit', 'off', true)`;

type Laid = { send: Pick<Entry, 'id' | 'userId' | 'subject'>; before: number };
type Open = { listIds: string[]; lastEmail: string; laidOut: number } & Pick<Entry, 'userId' | 'subject' | 'emailType' | 'sentAt'>;

/** Further part of the statement that lays rows `r` out: how far the layout went, where the chunk was full. Parameters: chunk's size, send, size. */
const MARK = `, went as (
         update send_layouts l set last_email = x.last, laid_out = l.laid_out + ?::int from (select count(*) as laid, max(r.email_norm) as last from r) x
         where l.history_id = ? and x.laid = ?)`;

/**
 * Lays the rows of a send out: a small send's in its own transaction, a large one's after the answer, chunk by chunk in the order of
 * the addresses. Each chunk and the mark of how far it went are one commit, so a crash only delays the next; the audience is that of
 * the time of acceptance.
 */
@Injectable()
export class SendLayouts {
  private newId?: string;

  constructor(
    private readonly em: EntityManager,
    private readonly audience: Audience,
    private readonly book: HistoryBook,
    private readonly providers: EmailProviders,
    private readonly courtesy: Courtesy,
    private readonly tuning: SendingTuning,
  ) {}

  /** All rows at once. @returns how many */
  async layOutAll(em: EntityManager, send: Laid['send'], recipients: SqlPart): Promise<number> {
    return this.insert(em, { send, before: 0 }, recipients);
  }

  /** Leaves the rows to the workers. */
  async postpone(em: EntityManager, sendId: string, listIds: readonly string[]): Promise<void> {
    await changed(em, `insert into send_layouts (history_id, list_ids) values (?, ?::jsonb)`, [sendId, JSON.stringify(listIds)]);
  }

  /** Lays the next chunk out. @returns done: all stand; busy: another worker is at it; more: there is another chunk */
  async layOutNext(sendId: string): Promise<'done' | 'busy' | 'more'> {
    return this.em.fork().transactional(async (em) => {
      const manager = em as EntityManager;
      const [layout] = await this.courtesy.timed(() => rows<Open>(
        manager,
        `select l.list_ids as "listIds", l.last_email as "lastEmail", l.laid_out as "laidOut", h.user_id as "userId", h.subject, h.email_type as "emailType", h.sent_at as "sentAt", ${IN_ORDER}
         from send_layouts l join email_history h on h.id = l.history_id where l.history_id = ? for update of l skip locked`,
        [sendId],
      ));
      if (!layout) return (await this.isOpen(sendId)) ? 'busy' : 'done';
      const size = layout.laidOut > 0 && this.courtesy.isAlone ? this.tuning.chunk : this.tuning.firstChunk;
      const page = this.audience.pageSql(layout.listIds, CONTACT_TYPE_OF_SEND[layout.emailType], layout.userId, { asOf: layout.sentAt, after: layout.lastEmail, limit: size });
      const laid = await this.insert(manager, { send: { ...layout, id: sendId }, before: layout.laidOut }, page, { sql: ADDRESS_BLOCKS + MARK, params: [size, sendId, size] });
      if (laid === size) return 'more';
      await changed(manager, `delete from send_layouts where history_id = ?`, [sendId]);
      await this.book.countRecipients(manager, sendId, layout.laidOut + laid);
      return 'done';
    });
  }

  /** Sends that are not laid out wholly. */
  async open(): Promise<string[]> {
    return (await rows<{ id: string }>(this.em, `select history_id as id from send_layouts order by created_at`)).map(({ id }) => id);
  }

  private async isOpen(sendId: string): Promise<boolean> {
    return (await rows(this.em.fork(), `select 1 from send_layouts where history_id = ?`, [sendId])).length > 0;
  }

  private async insert(em: EntityManager, { send, before }: Laid, recipients: SqlPart, beside: SqlPart = { sql: '', params: [] }): Promise<number> {
    const [found] = await rows<{ laid: number }>(
      em,
      `with r as materialized (select ?::uuid as history_id, ?::int + row_number() over () as position, p.* from (${recipients.sql}) p), laid as (
         insert into email_delivery_logs (id, user_id, history_id, position, provider_id, contact_id, email_list_id, masked, recipient_email, recipient_name, subject, status)
         select ${this.newId ??= await newIdOf(em)}, ?, r.history_id, r.position, ?, r.contact_id, r.email_list_id, r.masked, r.email, r.name, ?, 'queued' from r), ranges as (
         insert into delivery_ranges (history_id, first_position, last_position, next_position)
         select r.history_id, min(r.position), max(r.position), min(r.position) from r group by r.history_id, (r.position - 1 - ?::int) / ?::int)${beside.sql}
       select count(*)::int as laid from r`,
      [send.id, before, ...recipients.params, send.userId, await this.providers.defaultId(em), send.subject, before, this.tuning.range, ...beside.params],
    );
    return found!.laid;
  }
}

/** Ids that grow with time, so that a chunk's stand side by side in their index, now and when it is sent; PostgreSQL has them from 18 on. */
async function newIdOf(em: EntityManager): Promise<string> {
  const [found] = await rows<{ grow: boolean }>(em, `select to_regproc('pg_catalog.uuidv7') is not null as grow`);
  return found!.grow ? 'pg_catalog.uuidv7()' : 'gen_random_uuid()';
}
