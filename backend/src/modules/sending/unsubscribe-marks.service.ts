import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../shared/database/batcher.js';
import { bulkRows, changed } from '../../shared/database/rows.js';
import type { AppEvents } from '../../shared/events/app-events.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';

interface Leaver {
  contact: string;
  /** The sender they left; null: whoever mailed them. */
  owner: string | null;
}

/** Notes on the newest message to a contact, from the sender they left, that it made them leave; until they take it back. */
@Injectable()
export class UnsubscribeMarks {
  private readonly batcher = new Batcher((leavers: Leaver[]) => this.markAll(leavers));

  constructor(private readonly em: EntityManager) {}

  @OnAppEvent('contact.unsubscribed')
  async mark({ contactId, ownerId }: AppEvents['contact.unsubscribed']): Promise<void> {
    if (contactId) await this.batcher.add({ contact: contactId, owner: ownerId });
  }

  @OnAppEvent('contact.restored')
  async unmark({ contactId, ownerId, leftAt }: AppEvents['contact.restored']): Promise<void> {
    if (!contactId) return;
    await changed(
      this.em,
      `update email_delivery_logs set unsubscribed_at = null where contact_id = ? and user_id = coalesce(?::uuid, user_id) and unsubscribed_at >= ?`,
      [contactId, ownerId, leftAt],
    );
  }

  private async markAll(leavers: Leaver[]): Promise<void[]> {
    await bulkRows(this.em.fork(), MARK, [JSON.stringify(leavers)]);
    return leavers.map(() => undefined);
  }
}

const MARK = `
  update email_delivery_logs d set unsubscribed_at = now()
  from (
    select distinct newest.id from jsonb_to_recordset(?::jsonb) as t(contact uuid, owner uuid), lateral (
      select m.id from email_delivery_logs m where m.contact_id = t.contact and m.user_id = coalesce(t.owner, m.user_id) and m.status in ('sent', 'unconfirmed', 'complained')
      order by m.sent_at desc nulls last limit 1) newest
    order by newest.id) n
  where d.id = n.id and d.unsubscribed_at is null`;
