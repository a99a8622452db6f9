import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import type { Address } from '../../shared/mail/address.js';
import { PersonPart } from '../../shared/person/person-part.js';

/** Stands where an erased person's address stood in a link that has to go on working. */
const NOBODY = 'erased@erased.invalid';

/** A person as a contact: on every list, with the evidence of consent. */
@Injectable()
export class ContactRecords extends PersonPart {
  async export(em: EntityManager, { hash, norm }: Address): Promise<Record<string, object[]>> {
    const [contacts, consent, suppressions, refused] = await Promise.all([
      rows(em, `select l.name as "list", c.email, c.name, c.subscription_type as "subscriptionType", c.confirmed, c.confirmed_at as "confirmedAt", c.suppressed,
                  c.unsubscribed_at as "unsubscribedAt", c.source, c.attributes, c.consent, c.created_at as "createdAt"
                from subscriptions c join email_lists l on l.id = c.email_list_id where c.email_hash = ? order by c.created_at`, [hash]),
      rows(em, `select kind, how, form, wording_version as "wordingVersion", ip, user_agent as "userAgent", created_at as "createdAt" from consent_events where address_hash = ? order by created_at`, [hash]),
      rows(em, `select scope, reason, created_at as "createdAt", expires_at as "expiresAt" from suppressions where address_hash = ? order by created_at`, [hash]),
      rows(em, `select line, reason from contact_import_rejects where lower(email) = ?`, [norm]),
    ]);
    return { contacts, consent, suppressions, refusedImportLines: refused };
  }

  /** Mailed unsubscribe links go on working: only a token and a hash are kept of them. */
  async erase(em: EntityManager, { hash, norm }: Address): Promise<number> {
    await changed(
      em,
      `insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
       select c.unsubscribe_token, ?, ?, c.email_hash, l.owner_id, l.id, l.name from subscriptions c join email_lists l on l.id = c.email_list_id
       where c.email_hash = ? on conflict do nothing`,
      [NOBODY, NOBODY, hash],
    );
    const counts = [
      await changed(em, `update retired_unsubscribe_links set email = ?, email_norm = ? where email_hash = ? and email <> ?`, [NOBODY, NOBODY, hash, NOBODY]),
      await changed(em, `delete from subscriptions where email_hash = ?`, [hash]),
      await changed(em, `update consent_events set address_norm = null, ip = null, user_agent = null, details = null where address_hash = ? and (address_norm is not null or ip is not null or user_agent is not null)`, [hash]),
      await changed(em, `update suppressions set address_norm = null where address_hash = ? and address_norm is not null`, [hash]),
      await changed(em, `delete from contact_import_rejects where lower(email) = ?`, [norm]),
    ];
    return counts.reduce((sum, count) => sum + count, 0);
  }
}

@Module({ providers: [ContactRecords], exports: [ContactRecords] })
export class ContactRecordsModule {}
