import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { olderThan, type TimelineSource, TimelineSources } from '../../contacts/index.js';
import { ContactIds } from '../../lists/index.js';

interface LeftOutRow {
  key: string;
  at: string | Date;
  subject: string;
  reason: string;
  detail: string;
  sendId: string;
  listId: string;
}

/** Timeline source: which sends left out a person on the account's own lists, and why. */
@Injectable()
export class LeftOutTimeline implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly timeline: TimelineSources,
    private readonly contacts: ContactIds,
  ) {}

  onModuleInit(): void {
    this.timeline.add(this.leftOut);
  }

  private readonly leftOut: TimelineSource = {
    kind: 'messages',
    before: async (subject, place, limit) => {
      const ids = await this.contacts.of(subject);
      if (ids.length === 0) return [];
      const key = `'left-out:' || l.history_id || ':' || l.position`;
      const { sql, params } = olderThan('h.sent_at', key, place);
      const found = await rows<LeftOutRow>(
        this.em.fork(),
        `select ${key} as key, h.sent_at as at, h.subject, l.reason, l.detail, l.history_id as "sendId", l.email_list_id as "listId"
         from send_left_out l join email_history h on h.id = l.history_id
         where l.contact_id = any (?::uuid[]) and h.user_id = ? and not l.masked and ${sql} order by h.sent_at desc, 1 desc limit ?`,
        [sqlArray(ids), subject.ownerId, ...params, limit],
      );
      return found.map(({ key, at, subject, reason, detail, sendId, listId }) => ({
        at: new Date(at),
        key,
        kind: 'messages' as const,
        title: `Left out of "${subject}": ${inThePast(detail)}`,
        detail: { reason, subject },
        sendId,
        listId,
      }));
    },
  };
}

/** Puts a reason into the past tense for the timeline. Reports use the present tense. */
const inThePast = (detail: string): string => detail.replace(/ gets? this send$/, ' got it');
