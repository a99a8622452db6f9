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
 */
export const IN_ORDER = `set_config('enable_sort', 'off', true)`;

type Laid = { send: Pick<Entry, 'id' | 'userId' | 'subject'>; before: number };

/**
 * Lays the rows of a send out: a small send's in its own transaction, a large one's after the answer, chunk by chunk in the order of
 * the addresses. Each chunk and the mark of how far it went are one commit, so a crash only delays the next; the audience is that of
 * the time of acceptance.
 */
@Injectable()
export class SendLayouts {
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
    return (await this.insert(em, { send, before: 0 }, recipients)).laid;
  }

  /** Leaves the rows to the workers. */
  async postpone(em: EntityManager, sendId: string, listIds: readonly string[]): Promise<void> {
    await changed(em, `insert into send_layouts (history_id, list_ids) values (?, ?::jsonb)`, [sendId, JSON.stringify(listIds)]);
  }

  /** Lays the next chunk out. @returns done: all stand; busy: another worker is at it; more: there is another chunk */
  async layOutNext(sendId: string): Promise<'done' | 'busy' | 'more'> {
    return this.em.fork().transactional(async (em) => {
      const manager = em as EntityManager;
      const [layout] = await this.courtesy.timed(() => rows<{ listIds: string[]; lastEmail: string; laidOut: number }>(
        manager,
        `select list_ids as "listIds", last_email as "lastEmail", laid_out as "laidOut", ${IN_ORDER} from send_layouts where history_id = ? for update skip locked`,
        [sendId],
      ));
      if (!layout) return (await this.isOpen(sendId)) ? 'busy' : 'done';
      const send = (await this.book.byId(manager, sendId))!;
      const size = layout.laidOut === 0 ? this.tuning.firstChunk : this.tuning.chunk;
      const page = this.audience.pageSql(layout.listIds, CONTACT_TYPE_OF_SEND[send.emailType], send.userId, { asOf: send.sentAt, after: layout.lastEmail, limit: size });
      const { laid, last } = await this.insert(manager, { send, before: layout.laidOut }, page, ADDRESS_BLOCKS);
      const total = layout.laidOut + laid;
      if (laid === size) {
        await changed(manager, `update send_layouts set last_email = ?, laid_out = ? where history_id = ?`, [last, total, sendId]);
        return 'more';
      }
      await changed(manager, `delete from send_layouts where history_id = ?`, [sendId]);
      await this.book.countRecipients(manager, sendId, total);
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

  private async insert(em: EntityManager, { send, before }: Laid, recipients: SqlPart, beside = ''): Promise<{ laid: number; last: string | null }> {
    const [found] = await rows<{ laid: number; last: string | null }>(
      em,
      `with r as materialized (select ?::uuid as history_id, ?::int + row_number() over () as position, p.* from (${recipients.sql}) p), laid as (
         insert into email_delivery_logs (user_id, history_id, position, provider_id, contact_id, email_list_id, masked, recipient_email, recipient_name, subject, status)
         select ?, r.history_id, r.position, ?, r.contact_id, r.email_list_id, r.masked, r.email, r.name, ?, 'queued' from r)${beside}
       select count(*)::int as laid, max(r.email_norm) as last from r`,
      [send.id, before, ...recipients.params, send.userId, await this.providers.defaultId(em), send.subject],
    );
    return found!;
  }
}
