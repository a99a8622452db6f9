import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import type { Address } from '../../../shared/mail/address.js';
import { DataSubjectSource } from '../../../shared/personal-data.js';
import { erasePersonFromImports, exportPersonFromImports } from '../imports/import-personal-data.js';

/** Placeholder address for erased people; their unsubscribe links must keep working. */
const ERASED_ADDRESS = 'erased@erased.invalid';

/** Data about a person as a contact of any list, with the consent evidence. */
@Injectable()
export class ContactPersonalData extends DataSubjectSource {
  async export(em: EntityManager, address: Address): Promise<Record<string, object[]>> {
    const { hash } = address;
    const [contacts, consent, suppressions, imports] = await Promise.all([
      rows(
        em,
        `select l.name as "list", c.email, c.name, c.first_name as "firstName", c.last_name as "lastName", c.subscription_type as "subscriptionType", c.confirmed, c.confirmed_at as "confirmedAt", c.suppressed,
                  c.unsubscribed_at as "unsubscribedAt", c.source, c.attributes, c.consent, c.created_at as "createdAt"
                from subscriptions c join email_lists l on l.id = c.email_list_id where c.email_hash = ? order by c.created_at`,
        [hash],
      ),
      rows(
        em,
        `select kind, how, form, wording_version as "wordingVersion", ip, user_agent as "userAgent", created_at as "createdAt" from consent_events where address_hash = ? order by created_at`,
        [hash],
      ),
      rows(
        em,
        `select scope, reason, created_at as "createdAt", expires_at as "expiresAt" from suppressions where address_hash = ? order by created_at`,
        [hash],
      ),
      exportPersonFromImports(em, address),
    ]);
    return { contacts, consent, suppressions, ...imports };
  }

  /** Erases the person. Of unsubscribe links only token and hash are kept, so that mailed links keep working. */
  async erase(em: EntityManager, address: Address): Promise<number> {
    const { hash } = address;
    // Runs first: it waits for imports that are committing lines of the person, and later commits wait for this
    // erasure.
    const ofImports = await erasePersonFromImports(em, address);
    await changed(
      em,
      `insert into retired_unsubscribe_links (token, email, email_norm, email_hash, owner_id, email_list_id, list_name)
       select c.unsubscribe_token, ?, ?, c.email_hash, l.owner_id, l.id, l.name from subscriptions c join email_lists l on l.id = c.email_list_id
       where c.email_hash = ? on conflict do nothing`,
      [ERASED_ADDRESS, ERASED_ADDRESS, hash],
    );
    const counts = [
      await changed(
        em,
        `update retired_unsubscribe_links set email = ?, email_norm = ? where email_hash = ? and email <> ?`,
        [ERASED_ADDRESS, ERASED_ADDRESS, hash, ERASED_ADDRESS],
      ),
      await changed(em, `delete from subscriptions where email_hash = ?`, [hash]),
      await changed(em, `delete from removed_contacts where email_hash = ?`, [hash]),
      await changed(
        em,
        `update consent_events set address_norm = null, ip = null, user_agent = null, details = null where address_hash = ? and (address_norm is not null or ip is not null or user_agent is not null)`,
        [hash],
      ),
      await changed(
        em,
        `update suppressions set address_norm = null where address_hash = ? and address_norm is not null`,
        [hash],
      ),
    ];
    return counts.reduce((sum, count) => sum + count, ofImports);
  }
}

@Module({ providers: [ContactPersonalData], exports: [ContactPersonalData] })
export class ContactPersonalDataModule {}
