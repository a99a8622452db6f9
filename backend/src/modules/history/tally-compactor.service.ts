import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { COMPACTED_AT_ONCE, Compactor } from '../../shared/database/compactor.js';
import { SingleRunner } from '../../shared/database/single-runner.js';

const HOUR_MS = 3_600_000;
const COUNTS = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'] as const;

/** One statement: whoever reads the sums meanwhile sees them before or after, never between. Rows in use wait for the next hour. */
const COMPACT = `
  with taken as (
    select t.history_id, t.backend from delivery_tallies t left join email_history h on h.id = t.history_id
    where t.backend <> 0 and h.status is distinct from 'pending' limit ${COMPACTED_AT_ONCE} for update of t skip locked
  ), gone as (
    delete from delivery_tallies t using taken where (t.history_id, t.backend) = (taken.history_id, taken.backend) returning t.*
  ), kept as (
    insert into delivery_tallies as t (history_id, backend, ${COUNTS.join(', ')})
    select g.history_id, 0, ${COUNTS.map((name) => `sum(g.${name})`).join(', ')} from gone g join email_history h on h.id = g.history_id group by g.history_id
    on conflict (history_id, backend) do update set ${COUNTS.map((name) => `${name} = t.${name} + excluded.${name}`).join(', ')}
  )
  select count(*)::int as n from gone`;

/** Adds up what the connections counted apart: a settled send becomes one row; rows whose send is gone go too. */
@Injectable()
export class TallyCompactor extends Compactor {
  protected readonly lock = 'history.tallies';
  protected readonly statement = COMPACT;

  constructor(em: EntityManager, runner: SingleRunner) {
    super(em, runner);
  }

  @Interval(HOUR_MS)
  run(): Promise<void> {
    return this.runAlone();
  }
}
