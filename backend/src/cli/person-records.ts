import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { ContactRecords } from '../modules/lists/index.js';
import { InviteeRecords } from '../modules/referrals/index.js';
import { RecipientRecords } from '../modules/sending/index.js';
import { type Address, parseAddress } from '../shared/mail/address.js';
import type { PersonPart } from '../shared/person/person-part.js';

/** A person's rights over what is kept about their address, whoever's lists it is on (GDPR 15 and 17). */
@Injectable()
export class PersonRecords {
  private readonly parts: PersonPart[];

  constructor(private readonly em: EntityManager, contacts: ContactRecords, recipients: RecipientRecords, invitees: InviteeRecords) {
    this.parts = [recipients, invitees, contacts];
  }

  async export(address: string): Promise<Record<string, unknown>> {
    const parsed = required(address);
    const em = this.em.fork();
    const records = await Promise.all(this.parts.map((part) => part.export(em, parsed)));
    return { address: parsed.norm, exportedAt: new Date().toISOString(), ...Object.assign({}, ...records) };
  }

  /** All of it or nothing. */
  async erase(address: string): Promise<{ rows: number }> {
    const parsed = required(address);
    return this.em.fork().transactional(async (em) => {
      let rows = 0;
      for (const part of this.parts) rows += await part.erase(em, parsed);
      return { rows };
    });
  }
}

function required(address: string): Address {
  const parsed = parseAddress(address);
  if (!parsed) throw new Error(`"${address}" is no mail address`);
  return parsed;
}
