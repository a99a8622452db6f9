import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Batcher } from '../../shared/database/queries/batcher.js';
import { changed, rows } from '../../shared/database/queries/rows.js';
import type { AppEvents } from '../../shared/events/app-events.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';

interface UnsubscribedContact {
  contact: string;
  /** Sender that the recipient unsubscribed from; null: from all senders. */
  owner: string | null;
}

/**
 * Marks the message that caused an unsubscription: the newest message to the contact from the sender that the contact
 * unsubscribed from. Removes the mark if the unsubscription is undone.
 */
@Injectable()
export class UnsubscribeMarks {
  private readonly batcher = new Batcher((contacts: UnsubscribedContact[]) => this.markAll(contacts));

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

  private async markAll(contacts: UnsubscribedContact[]): Promise<void[]> {
    await rows(this.em.fork(), MARK_UNSUBSCRIBED, [JSON.stringify(contacts)]);
    return contacts.map(() => undefined);
  }
}

const MARK_UNSUBSCRIBED = `
  update email_delivery_logs d set unsubscribed_at = now()
  from (
    select distinct newest.id from jsonb_to_recordset(?::jsonb) as t(contact uuid, owner uuid), lateral (
      select m.id from email_delivery_logs m where m.contact_id = t.contact and m.user_id = coalesce(t.owner, m.user_id) and m.status in ('sent', 'unconfirmed', 'complained')
      order by m.sent_at desc nulls last limit 1) newest
    order by newest.id) n
  where d.id = n.id and d.unsubscribed_at is null`;
