import type { EntityManager } from '@mikro-orm/postgresql';
import type { Address } from '../mail/address.js';

/** What one module keeps about the person behind a mail address who is no user: a contact, a recipient, an invitee. */
export abstract class PersonPart {
  /** Everything, as plain objects under readable names. */
  abstract export(em: EntityManager, address: Address): Promise<Record<string, object[]>>;

  /** Removes it or makes it nameless, within the caller's transaction; what keeps the address from being mailed stays, as a hash. @returns how many rows held it */
  abstract erase(em: EntityManager, address: Address): Promise<number>;
}
