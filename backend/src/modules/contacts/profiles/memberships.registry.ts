import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import type { ContactType, Role } from '../../../shared/enums.js';
import type { Client } from '../../../shared/http/index.js';
import type { Address } from '../../../shared/mail/address.js';
import type { ProfileConsent } from '../contacts.constants.js';

/** One of the account's own lists that a person is on. */
export interface ProfileMembership {
  id: string;
  name: string;
  membershipId: string;
  status: 'confirmed' | 'pending' | 'unsubscribed' | 'bounced' | 'complained';
  subscriptionType: ContactType;
}

/** The parts of a profile that its memberships copy. */
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

/** The account that adds people to a list. Its role determines the type of mail to which they are asked to agree. */
export interface MembershipOwner {
  id: string;
  role: Role | null;
}

/** Why a person was not added to a list. */
export type MembershipRefusal = 'exists' | 'suppressed' | 'plan_limit';

/** The account's own lists, as profiles need them. SQL is over the alias `p` of a profile. */
export abstract class MembershipSource {
  /** SQL expression: a person's consent, a ProfileConsent. */
  abstract readonly consentSql: string;
  /** SQL expression: ids of the account's own lists that a person is on. */
  abstract readonly listIdsSql: string;
  /**
   * SQL condition, never null: profiles with this consent, as in `consentSql`. Finds a rare consent without reading all
   * contacts of the account.
   */
  abstract readonly consentIs: (ownerId: string, consent: ProfileConsent) => SqlPart;
  /**
   * SQL condition, never null: profiles with a confirmed membership of this type that may be mailed; type null accepts
   * either type.
   */
  abstract readonly mailable: (ownerId: string, type: ContactType | null) => SqlPart;
  /** SQL condition: profiles on one list. */
  abstract onList(listId: string): SqlPart;
  /** SQL query: ids of profiles with a membership whose address contains a text, which has to contain a trigram. */
  abstract addressContains(ownerId: string, text: string): SqlPart;
  /** @throws 404 if one of the lists is not the account's own */
  abstract requireLists(ownerId: string, listIds: readonly string[]): Promise<void>;
  /** The account's own lists that a person is on, sorted by name. */
  abstract of(profileId: string): Promise<ProfileMembership[]>;
  /**
   * When the person unsubscribed from the account's lists, or from all mail.
   * @returns null if the person did neither
   */
  abstract leftAt(profileId: string): Promise<Date | null>;
  /** @throws 409 if the address is suppressed and must not be added */
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
   * @throws plan_limit if this many further memberships exceed them
   */
  abstract requireRoom(em: EntityManager, ownerId: string, count: number): Promise<void>;
  /** Removes people from one list, or from all lists. Their unsubscribe links keep working. */
  abstract remove(em: EntityManager, profileIds: readonly string[], listId?: string): Promise<void>;
  /** Copies a profile's names to its memberships. */
  abstract copyNames(em: EntityManager, profile: CopiedProfile): Promise<void>;
  /**
   * Links memberships with these profiles' addresses that the backfill has not reached yet, so that a change of a
   * profile reaches all lists.
   */
  abstract adopt(em: EntityManager, profileIds: readonly string[]): Promise<void>;

  /** Gives all memberships of a profile its new address. They become Pending, with new links. */
  abstract readdress(em: EntityManager, profile: CopiedProfile): Promise<void>;
  /**
   * Records that people asked the account to stop. They leave all lists of the account, as if they had unsubscribed
   * themselves, and only their own new confirmation brings them back.
   * @param client the client of the user who recorded the request
   */
  abstract withdraw(
    em: EntityManager,
    ownerId: string,
    people: readonly { address: Address; note: string | null }[],
    client: Client,
  ): Promise<void>;
  /** Starts sending the confirmation mails of new memberships. */
  abstract sendOptIns(): Promise<void>;
}

/** Gives contacts access to lists. The lists module depends on this one and registers itself at start. */
@Injectable()
export class Memberships {
  private source: MembershipSource | undefined;

  /** Registers the lists module. Called once, at start. */
  provide(source: MembershipSource): void {
    this.source = source;
  }

  /** @throws Error before the lists are registered */
  get lists(): MembershipSource {
    if (!this.source) throw new Error('no module has registered the lists');
    return this.source;
  }
}
