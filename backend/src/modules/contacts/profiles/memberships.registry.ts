import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { ContactType, Role } from '../../../shared/enums.js';
import type { Client } from '../../../shared/http/index.js';
import type { Address } from '../../../shared/mail/address.js';
import type { ProfileConsent } from '../contacts.constants.js';

/** One own list that a person is on. */
export interface ProfileMembership {
  id: string;
  name: string;
  membershipId: string;
  status: 'confirmed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained';
  subscriptionType: ContactType;
}

/** What a membership copies from a profile. */
export interface CopiedProfile {
  id: string;
  email: string;
  emailNorm: string;
  companyDomain: string | null;
  firstName: string | null;
  lastName: string | null;
}

/** SQL columns of a CopiedProfile. */
export const COPIED_COLUMNS = `contact_profiles.id, contact_profiles.email, contact_profiles.email_norm as "emailNorm", contact_profiles.company_domain as "companyDomain",
  contact_profiles.first_name as "firstName", contact_profiles.last_name as "lastName"`;

/** The account that adds people to a list; its role decides what kind of mail they are asked to agree to. */
export interface MembershipOwner {
  id: string;
  role: Role | null;
}

/** Why a person was not added to a list. */
export type MembershipRefusal = 'exists' | 'suppressed' | 'plan_limit';

/** The own lists of an account, as profiles see them. SQL is over the alias `p` of a profile. */
export abstract class MembershipSource {
  /** SQL expression of a person's consent, a ProfileConsent. */
  abstract readonly consentSql: string;
  /** SQL expression of the ids of the own lists that a person is on. */
  abstract readonly listIdsSql: string;
  /**
   * SQL condition: profiles with one consent, as consentSql gives it. Finds a rare consent without reading all contacts
   * of the account. Never null.
   */
  abstract readonly consentIs: (ownerId: string, consent: ProfileConsent) => SqlPart;
  /** SQL condition: profiles with a confirmed membership that may be mailed; type null: of either type. Never null. */
  abstract readonly mailable: (ownerId: string, type: ContactType | null) => SqlPart;
  /** Profiles on one list. */
  abstract onList(listId: string): SqlPart;
  /** Query of the ids of profiles with a membership whose address contains a text of three characters or more. */
  abstract addressContains(ownerId: string, text: string): SqlPart;
  /** @throws 404 where one of the lists is not the account's own */
  abstract requireLists(ownerId: string, listIds: readonly string[]): Promise<void>;
  /** The own lists that a person is on, by name. */
  abstract of(profileId: string): Promise<ProfileMembership[]>;
  /** When the person left the account's lists, or everything; null: they did not. */
  abstract leftAt(profileId: string): Promise<Date | null>;
  /** @throws 409 where the address may not be added */
  abstract refuseSuppressed(em: EntityManager, ownerId: string, address: Address): Promise<void>;
  /**
   * Adds people to a list as Pending, in the given order up to the plan's limit, within the caller's transaction.
   * @returns people who were not added, with the reason
   */
  abstract add(
    em: EntityManager,
    owner: MembershipOwner,
    listId: string,
    profiles: readonly CopiedProfile[],
  ): Promise<Map<string, MembershipRefusal>>;
  /**
   * Locks the account's limits until the transaction ends.
   * @throws plan_limit where this many further memberships exceed them
   */
  abstract requireRoom(em: EntityManager, ownerId: string, count: number): Promise<void>;
  /** Removes people from one list, or from all. Their unsubscribe links keep working. */
  abstract remove(em: EntityManager, profileIds: readonly string[], listId?: string): Promise<void>;
  /** Writes a profile's names into its memberships. */
  abstract copyNames(em: EntityManager, profile: CopiedProfile): Promise<void>;
  /**
   * Links memberships of these profiles' addresses that the backfill has not reached yet, so that a change of the
   * profile reaches all lists.
   */
  abstract adopt(em: EntityManager, profileIds: readonly string[]): Promise<void>;

  /** Gives all memberships of a profile its new address: Pending, with new links. */
  abstract readdress(em: EntityManager, profile: CopiedProfile): Promise<void>;
  /**
   * Records that people asked the account to stop: they leave all its lists, as if they had unsubscribed themselves,
   * and only a new confirmation of their own brings them back.
   * @param client the client of the user who recorded it
   */
  abstract withdraw(
    em: EntityManager,
    ownerId: string,
    people: readonly { address: Address; note: string | null }[],
    client: Client,
  ): Promise<void>;
  /** Starts sending the confirmation mails of added memberships. */
  abstract sendOptIns(): Promise<void>;
}

/** Gives contacts access to the lists, which a module above knows: that module registers itself at start. */
@Injectable()
export class Memberships {
  private source: MembershipSource | undefined;

  /** Called once, at start. */
  provide(source: MembershipSource): void {
    this.source = source;
  }

  /** @throws Error before the lists are registered */
  get lists(): MembershipSource {
    if (!this.source) throw new Error('no module has registered the lists');
    return this.source;
  }
}
