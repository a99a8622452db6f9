import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SqlPart } from '../../../../shared/database/queries/rows.js';
import { opposite, RecentActivities, type RecentActivity } from '../../activity/recent-activity.registry.js';
import { withinDays } from '../operators.js';
import { not, operator, type SegmentTerm, SegmentTerms, type TermContext } from '../segment-terms.registry.js';

type Recent = (before: string | undefined) => Promise<RecentActivity | null>;
type Use = Pick<TermContext, 'bound' | 'sendId'>;

/**
 * SQL expression: a column of the profile's activity. It is a scalar subquery, which is read by primary key and only
 * for people who match the other rules; for a join, PostgreSQL might read the activity of all accounts.
 */
const activity = (column: string): string => `(select a.${column} from contact_activity a where a.profile_id = p.id)`;

function within(column: string, days: number | null): SqlPart {
  if (days === null) return { sql: `${activity(column)} is not null`, params: [] };
  const { sql, params } = withinDays(activity(column), days);
  return { sql: `coalesce(${sql}, false)`, params };
}

async function mailed(recent: Recent, days: number | null, { bound, sendId }: Use): Promise<SqlPart> {
  const known = within('last_mailed_at', days);
  const open = (await recent(sendId))?.mailed(days, bound);
  return open ? { sql: `${known.sql} or ${open.sql}`, params: [...known.params, ...open.params] } : known;
}

const notMailed = async (recent: Recent, days: number | null, { bound, sendId }: Use): Promise<SqlPart> =>
  not(await mailed(recent, days, { bound: opposite(bound), sendId }));

async function mailedAtLeast(recent: Recent, times: number, { bound, sendId }: Use): Promise<SqlPart> {
  const known = `coalesce(${activity('mailed_count')}, 0)`;
  const open = (await recent(sendId))?.mailedCount(bound);
  return open
    ? { sql: `${known} + ${open.sql} >= ?::int`, params: [...open.params, times] }
    : { sql: `${known} >= ?::int`, params: [times] };
}

const bounced = (days: number): SqlPart => within('last_bounced_at', days);

const termsFor = (recent: Recent): SegmentTerm[] => [
  {
    field: 'mailed',
    label: 'Mailed',
    group: 'Activity',
    operators: [
      operator('lastDays', 'in the last … days', 'days', (days, use) => mailed(recent, days, use)),
      operator('notLastDays', 'not in the last … days', 'days', (days, use) => notMailed(recent, days, use)),
      operator('never', 'never', 'none', (_, use) => notMailed(recent, null, use)),
      operator('atLeast', 'at least … times', 'count', (times, use) => mailedAtLeast(recent, times, use)),
    ],
  },
  {
    field: 'bounced',
    label: 'Bounced',
    group: 'Activity',
    operators: [
      operator('lastDays', 'in the last … days', 'days', bounced),
      operator('notLastDays', 'not in the last … days', 'days', (days) => not(bounced(days))),
    ],
  },
];

/** Terms about mail from the account to a profile. A profile counts as mailed from the acceptance of the send. */
@Injectable()
export class ActivityTerms implements OnModuleInit {
  constructor(
    private readonly registry: SegmentTerms,
    private readonly activities: RecentActivities,
  ) {}

  onModuleInit(): void {
    this.registry.add({
      terms: (ownerId, em) => {
        let recent: Promise<RecentActivity | null> | undefined;
        return termsFor((before) => (recent ??= this.activities.of(ownerId, em, before)));
      },
    });
  }
}
