import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { TimelineSubject } from '../../contacts/index.js';

/** SQL expression: the profile of a contact; null if the contact has no profile, or no longer exists. */
export const profileOfContactSql = (contactId: string): string =>
  `(select c.profile_id from subscriptions c where c.id = ${contactId})`;

/** SQL relation of the contacts that have a profile: id, profile_id. */
export const PROFILED_CONTACTS = '(select s.id, s.profile_id from subscriptions s where s.profile_id is not null)';

/** Ids of a person's present and former memberships of the account's own lists; deliveries refer to them. */
@Injectable()
export class ContactIds {
  constructor(private readonly em: EntityManager) {}

  /** Finds the ids. Removed memberships are found by their consent events, which outlive them. */
  async of({ profileId, ownerId, emailHash }: TimelineSubject): Promise<string[]> {
    const found = await rows<{ id: string }>(
      this.em.fork(),
      `select c.id from subscriptions c where c.profile_id = ?
       union
       select e.contact_id from consent_events e left join email_lists l on l.id = e.email_list_id
       where e.address_hash = ? and e.owner_id = ? and e.contact_id is not null and not coalesce(l.is_default, false)`,
      [profileId, emailHash, ownerId],
    );
    return found.map(({ id }) => id);
  }
}
