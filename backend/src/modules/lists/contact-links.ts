import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../shared/database/rows.js';

/** Keeps a contact's unsubscribe link alive beyond the contact (decisions.md D23), within the caller's transaction. */
export async function retireLink(em: EntityManager, contactId: string, listId: string): Promise<void> {
  await rows(
    em,
    `insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
     select c.unsubscribe_token, c.email, c.email_norm, c.email_hash, l.owner_id, l.id, l.name
     from subscriptions c join email_lists l on l.id = c.email_list_id
     where c.id = ? and c.email_list_id = ?
     on conflict (token) do nothing`,
    [contactId, listId],
  );
}
