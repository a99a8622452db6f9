import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { COMPACTED_AT_ONCE, Compactor } from '../../../shared/database/compactor.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';

const HOUR_MS = 3_600_000;

/** One statement: whoever reads the sums meanwhile sees them before or after, never between. Rows in use wait for the next hour. */
const COMPACT = `
  with taken as (
    select owner_id, quarter, backend from contact_trends where backend <> 0 and quarter < now() - interval '1 hour' limit ${COMPACTED_AT_ONCE} for update skip locked
  ), gone as (
    delete from contact_trends t using taken where (t.owner_id, t.quarter, t.backend) = (taken.owner_id, taken.quarter, taken.backend) returning t.*
  ), kept as (
    insert into contact_trends as t (owner_id, quarter, backend, added, unsubscribed)
    select owner_id, quarter, 0, sum(added), sum(unsubscribed) from gone group by owner_id, quarter
    on conflict (owner_id, quarter, backend) do update set added = t.added + excluded.added, unsubscribed = t.unsubscribed + excluded.unsubscribed
  )
  select count(*)::int as n from gone`;

/** Adds up what the connections counted apart: past quarters become one row each. */
@Injectable()
export class TrendCompactor extends Compactor {
  protected readonly lock = 'lists.trends';
  protected readonly statement = COMPACT;

  constructor(em: EntityManager, runner: SingleRunner) {
    super(em, runner);
  }

  @Interval(HOUR_MS)
  run(): Promise<void> {
    return this.runAlone();
  }
}
