import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { retryDeadlocks } from '../shared/database/queries/retry-deadlocks.js';
import { inTransaction } from '../shared/database/queries/rows.js';
import { DraftPersonalData, TesterPersonalData } from '../modules/composing/index.js';
import { RecipientPersonalData } from '../modules/delivery/index.js';
import { ProfilePersonalData } from '../modules/contacts/index.js';
import { ContactPersonalData } from '../modules/lists/index.js';
import { TestMailPersonalData } from '../modules/sending/index.js';
import { ScheduledPersonalData } from '../modules/schedules/index.js';
import { InviteePersonalData } from '../modules/referrals/index.js';
import { type Address, parseAddress } from '../shared/mail/address.js';
import type { DataSubjectSource } from '../shared/personal-data.js';

/** Access and erasure requests (GDPR articles 15 and 17) for a mail address, over all modules and lists. */
@Injectable()
export class DataSubjectRequests {
  private readonly parts: DataSubjectSource[];

  constructor(
    private readonly em: EntityManager,
    contacts: ContactPersonalData,
    recipients: RecipientPersonalData,
    invitees: InviteePersonalData,
    profiles: ProfilePersonalData,
    drafts: DraftPersonalData,
    scheduled: ScheduledPersonalData,
    testers: TesterPersonalData,
    testMails: TestMailPersonalData,
  ) {
    this.parts = [recipients, invitees, contacts, profiles, drafts, scheduled, testers, testMails];
  }

  async export(address: string): Promise<Record<string, unknown>> {
    const parsed = required(address);
    const em = this.em.fork();
    const records = await Promise.all(this.parts.map((part) => part.export(em, parsed)));
    return { address: parsed.norm, exportedAt: new Date().toISOString(), ...Object.assign({}, ...records) };
  }

  /** Erases everything about an address, in one transaction. */
  async erase(address: string): Promise<{ rows: number }> {
    const parsed = required(address);
    return retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        let rows = 0;
        for (const part of this.parts) rows += await part.erase(em, parsed);
        return { rows };
      }),
    );
  }
}

function required(address: string): Address {
  const parsed = parseAddress(address);
  if (!parsed) throw new Error(`"${address}" is no mail address`);
  return parsed;
}
