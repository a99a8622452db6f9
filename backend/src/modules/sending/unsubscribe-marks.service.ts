import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import type { AppEvents } from '../../shared/events/app-events.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';

/** Notes on the newest message to a contact, from the sender they left, that it made them leave; until they take it back. */
@Injectable()
export class UnsubscribeMarks {
  constructor(private readonly em: EntityManager) {}

  @OnAppEvent('contact.unsubscribed')
  async mark({ contactId, ownerId }: AppEvents['contact.unsubscribed']): Promise<void> {
    if (!contactId) return;
    await changed(
      this.em,
      `update email_delivery_logs set unsubscribed_at = now()
       where unsubscribed_at is null and id = (
         select id from email_delivery_logs where contact_id = ? and user_id = coalesce(?::uuid, user_id) and status in ('sent', 'unconfirmed', 'complained') order by sent_at desc nulls last limit 1)`,
      [contactId, ownerId],
    );
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
}
