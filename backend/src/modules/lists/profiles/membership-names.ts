import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { lockProfile, setProfileNames } from '../../contacts/index.js';

interface Names {
  name?: string | null;
  firstName?: string | null;
  lastName?: string | null;
}

/** Keeps the names of a profile and the copies in its memberships the same, within the caller's transaction. */
@Injectable()
export class MembershipNames {
  /**
   * Locks a membership's profile. Called before memberships are locked, so that two changes of one person never
   * deadlock.
   */
  async lockProfile(em: EntityManager, contactId: string): Promise<void> {
    const [found] = await rows<{ profileId: string | null }>(
      em,
      `select profile_id as "profileId" from subscriptions where id = ?`,
      [contactId],
    );
    if (found?.profileId) await lockProfile(em, found.profileId);
  }

  /** Writes a person's name into the profile and all its memberships. */
  async renameAll(em: EntityManager, profileId: string, names: Names): Promise<void> {
    await setProfileNames(em, profileId, { firstName: names.firstName ?? null, lastName: names.lastName ?? null });
    await this.copy(em, profileId, names);
  }

  /** Writes a profile's name into all its memberships. */
  async copy(em: EntityManager, profileId: string, { name, firstName, lastName }: Names): Promise<void> {
    await changed(
      em,
      `update subscriptions set name = ?, first_name = ?, last_name = ?
       where profile_id = ? and (name, first_name, last_name) is distinct from (?::text, ?::text, ?::text)`,
      [name, firstName, lastName, profileId, name, firstName, lastName],
    );
  }
}
