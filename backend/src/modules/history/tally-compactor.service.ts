import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { rows } from '../../shared/database/rows.js';
import { SingleRunner } from '../../shared/database/single-runner.js';

const HOUR_MS = 3_600_000;
const BATCH = 20_000;
const COUNTS = ['sent', 'unconfirmed', 'failed', 'skipped', 'bounced', 'complained', 'unsubscribed'] as const;

/** One statement: whoever reads the sums meanwhile sees them before or after, never between. Rows in use wait for the next hour. */
const COMPACT = `
  with taken as (
    select t.history_id, t.backend from delivery_tallies t left join email_history h on h.id = t.history_id
    where t.backend <> 0 and h.status is distinct from 'pending' limit ${BATCH} for update of t skip locked
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
export class TallyCompactor {
  private readonly log = new Logger(TallyCompactor.name);

  constructor(private readonly em: EntityManager, private readonly runner: SingleRunner) {}

  @Interval(HOUR_MS)
  async run(): Promise<void> {
    await this.runner.run('history.tallies', () => this.compact()).catch((error: unknown) => this.log.error({ err: error }, 'the tallies could not be added up'));
  }

  async compact(): Promise<void> {
    for (let n = BATCH; n === BATCH; ) n = (await rows<{ n: number }>(this.em.fork(), COMPACT))[0]!.n;
  }
}
