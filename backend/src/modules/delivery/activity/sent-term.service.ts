import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { operator, not, type SegmentTerm, SegmentTerms } from '../../contacts/index.js';
import { SendRecords } from '../../history/index.js';
import { PROFILED_CONTACTS } from '../../lists/index.js';

/** SQL condition on a delivery `d`: its message was accepted, or still may be. */
const SENT = `d.status not in ('failed', 'skipped')`;

const wasSent = (sendId: string): SqlPart => ({
  sql: `exists (select 1 from ${PROFILED_CONTACTS} c join email_delivery_logs d on d.contact_id = c.id where c.profile_id = p.id and d.history_id = ?::uuid and not d.masked and ${SENT})`,
  params: [sendId],
});

/**
 * Segment term for the people who were sent a certain email. Matches nobody once the email's delivery log is deleted.
 */
@Injectable()
export class SentTerm implements OnModuleInit {
  constructor(
    private readonly registry: SegmentTerms,
    private readonly records: SendRecords,
  ) {}

  onModuleInit(): void {
    this.registry.add({ terms: (ownerId, em) => [this.termOf(ownerId, em)] });
  }

  private termOf(ownerId: string, em: EntityManager): SegmentTerm {
    return {
      field: 'sent',
      label: 'Was sent',
      group: 'Activity',
      noun: 'send',
      find: async (id) => {
        const send = await this.records.byId(em, id);
        return send?.userId === ownerId ? send.subject : null;
      },
      operators: [
        operator('is', 'was sent', 'reference', wasSent),
        operator('isNot', 'was not sent', 'reference', (id) => not(wasSent(id))),
      ],
    };
  }
}
