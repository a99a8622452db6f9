import { hashMailbox } from '../../../shared/mail/address.js';
import type { ContactType } from '../../../shared/enums.js';
import type { ContactSource } from '../entities/contact.entity.js';
import type { AskTarget } from '../outreach/ask-records.service.js';
import type { OutreachSender } from '../outreach/outreach-budget.service.js';

/** A contact whose confirmation mail is due. */
export interface DueContact extends AskTarget {
  email: string;
  emailNorm: string;
  source: ContactSource;
  type: ContactType;
}

/** A row of SELECT_DUE. */
export interface DueContactRow {
  contactId: string;
  email: string;
  emailNorm: string;
  emailHash: Buffer;
  emailListId: string;
  ownerId: string | null;
  source: ContactSource;
  type: ContactType;
}

export function dueContact(row: DueContactRow, senders: ReadonlyMap<string, OutreachSender>): DueContact {
  const sender = (row.ownerId && senders.get(row.ownerId)?.mailbox) || null;
  return { ...row, emailHash: Buffer.from(row.emailHash), sender, recipient: hashMailbox(row.emailNorm) };
}

/** Selects and locks the due contacts of these shares. */
export const SELECT_DUE = `
  select c.id as "contactId", c.email, c.email_norm as "emailNorm", c.email_hash as "emailHash", c.email_list_id as "emailListId", share."ownerId", share.source,
         case when c.opt_in_source is null then c.subscription_type else coalesce(c.opt_in_type, c.subscription_type) end as type
  from jsonb_to_recordset(?::jsonb) as share (list uuid, source text, "ownerId" uuid, most int)
  cross join lateral (
    select * from subscriptions c
    where c.email_list_id = share.list and exists (select 1 from email_lists l where l.id = share.list and l.deleted_at is null) and coalesce(c.opt_in_source, c.source) = share.source and c.opt_in_state = 'due' and c.opt_in_due_at <= now()
    order by c.opt_in_due_at, c.id limit share.most for update skip locked
  ) c`;

/**
 * Stores the decisions. If no mail is sent, the contact's earlier link stays valid. The requester stays recorded, so
 * that a repeated request gets the same answer.
 */
export const UPDATE_DECIDED = `
  update subscriptions c
  set opt_in_state = case v.what when 'send' then 'sent' when 'drop' then 'none' else c.opt_in_state end,
      opt_in_due_at = coalesce(v.until, c.opt_in_due_at),
      confirmation_sent_at = case v.what when 'send' then now() else c.confirmation_sent_at end,
      confirmation_token = case v.what when 'send' then v.token else c.confirmation_token end,
      confirmation_token_expires = case v.what when 'send' then now() + interval '30 days' else c.confirmation_token_expires end,
      confirmation_source = case v.what when 'send' then coalesce(c.opt_in_source, c.source) else c.confirmation_source end,
      confirmation_type = case v.what when 'send' then coalesce(c.opt_in_type, c.subscription_type) else c.confirmation_type end,
      opt_in_source = case v.what when 'send' then null else c.opt_in_source end,
      opt_in_type = case v.what when 'send' then null else c.opt_in_type end
  from jsonb_to_recordset(?::jsonb) as v(id uuid, what text, token text, until timestamptz)
  where c.id = v.id`;
