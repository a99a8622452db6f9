import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { writeProfile } from '../../contacts/index.js';
import { AuditTrail } from '../../auth/index.js';
import { CONTACT_COLUMNS, contactView, type ShownContact } from './contact-reader.service.js';
import type { ContactDto } from './contact.dto.js';
import type { EmailList } from '../entities/email-list.entity.js';
import { ListAccess, isFinal, isUndoable } from '../my-lists/list-access.service.js';
import { contactExists, contactNotFound, deletionFinal, suppressedAddress } from '../lists.errors.js';
import { PlanLimits } from '../my-lists/plan-limits.service.js';
import { Suppressions } from '../unsubscribe/suppressions.service.js';

/**
 * Removes contacts from their list. They disappear at once; their rows are kept until the removal can no longer be
 * undone.
 */
@Injectable()
export class ContactRemoval {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly suppressions: Suppressions,
    private readonly limits: PlanLimits,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
  ) {}

  async remove(user: RequestUser, listId: string, contactId: string): Promise<void> {
    const list = await this.access.require(user, listId);
    await inTransaction(this.em, async (em) => {
      const [gone] = await rows<{ email: string }>(em, REMOVE, [contactId, list.id]);
      if (!gone) throw contactNotFound();
      if (list.isDefault)
        await this.audit.recordAction(
          em,
          { id: user.id, client: null },
          { kind: 'network.contact_removed', detail: gone.email },
        );
    });
  }

  /**
   * Undoes a removal; idempotent.
   * @throws if the address was added again or has unsubscribed since, or the plan's limit is reached
   */
  async restore(user: RequestUser, listId: string, contactId: string): Promise<ContactDto> {
    const list = await this.access.require(user, listId);
    const restore = async (em: EntityManager): Promise<ContactDto | null> => {
      const [removed] = await rows<{ contact: Record<string, unknown>; emailHash: Buffer }>(
        em,
        `delete from removed_contacts where id = ? and email_list_id = ? and ${isUndoable('removed_at')} returning contact, email_hash as "emailHash"`,
        [contactId, list.id],
      );
      if (!removed) return null;
      if (!list.isDefault) await this.limits.reserveContacts(em, user.id, 1);
      await this.suppressions.lock(em, [removed.emailHash]);
      // A bounced contact stays visible on its list, an unsubscribed one does not.
      const reason = await this.suppressions.reasonFor(removed.emailHash, list.ownerId ?? null, em);
      if (reason && reason !== 'bounced') throw suppressedAddress(reason);
      const [contact] = await rows<ShownContact & { unsubscribe_token: string }>(em, RESTORE, [
        JSON.stringify(removed.contact),
        JSON.stringify({ suppressed: reason, ...(await profileOf(em, list, removed.contact)) }),
      ]);
      if (!contact) throw contactExists();
      await rows(em, 'delete from retired_unsubscribe_links where token = ?', [contact.unsubscribe_token]);
      await rows(em, UNCOUNT, [contactId, list.id]);
      if (list.isDefault)
        await this.audit.recordAction(
          em,
          { id: user.id, client: null },
          { kind: 'network.contact_added', detail: contact.email },
        );
      return contactView(contact);
    };
    const restored = await retryDeadlocks(() => inTransaction(this.em, restore));
    if (restored) {
      await this.jobs.kick('opt-in');
      return restored;
    }
    const [there] = await rows<ShownContact>(
      this.em.fork(),
      `select ${CONTACT_COLUMNS} from subscriptions where id = ? and email_list_id = ?`,
      [contactId, list.id],
    );
    if (!there) throw deletionFinal();
    return contactView(there);
  }

  /** Deletes removed contacts whose removal can no longer be undone. */
  async purge(): Promise<void> {
    await rows(this.em.fork(), `delete from removed_contacts where ${isFinal('removed_at')}`);
  }
}

/**
 * Finds or creates the profile of a restored contact: it may have been deleted, renamed or created since the removal.
 */
async function profileOf(
  em: EntityManager,
  { ownerId }: EmailList,
  contact: Record<string, unknown>,
): Promise<Record<string, string | null>> {
  const address = parseAddress(contact.email);
  // A contact without a profile gets one from the backfill, as it would have without the removal.
  if (!ownerId || !address || !contact.profile_id) return {};
  const textOf = (column: string): string | null => (typeof contact[column] === 'string' ? contact[column] : null);
  const copy = await writeProfile(em, {
    ownerId,
    address,
    name: textOf('name'),
    firstName: textOf('first_name'),
    lastName: textOf('last_name'),
    source: 'owner',
  });
  return {
    profile_id: copy.id,
    company_domain: copy.companyDomain,
    name: copy.name,
    first_name: copy.firstName,
    last_name: copy.lastName,
  };
}

const REMOVE = `
  with gone as (
    delete from subscriptions where id = ? and email_list_id = ? returning *
  ), kept as (
    insert into removed_contacts (id, email_list_id, email_hash, contact) select id, email_list_id, email_hash, to_jsonb(gone) from gone
  )
  select email from gone`;

const RESTORE = `
  insert into subscriptions select (jsonb_populate_record(null::subscriptions, ?::jsonb || ?::jsonb)).*
  on conflict (email_list_id, email_norm) do nothing returning ${CONTACT_COLUMNS}, unsubscribe_token`;

/** Corrects the trend: the insert trigger counted the restored contact as a new one, in this connection's row. */
const UNCOUNT = `
  update contact_trends t set added = t.added - 1
  from subscriptions c join email_lists l on l.id = c.email_list_id
  where c.id = ? and c.email_list_id = ? and t.owner_id = l.owner_id and t.backend = pg_backend_pid()
    and t.quarter = date_bin('15 minutes', c.created_at, timestamptz '2000-01-01 00:00:00+00')`;
