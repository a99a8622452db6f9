import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median, quantile, type Figure } from '../goals/goals.js';
import { apiLoad } from '../load.js';
import { CONTENT, SUBJECT, TAGGED } from '../message.js';
import type { People } from '../people.js';
import { ProductProcess } from '../processes.js';
import { productRate, rateOf, withWorker } from '../rates.js';
import type { Bench } from '../scenario.js';
import type { World } from '../world.js';

const RULES = 5_000;
/** Ms to wait until the one-second cache of rules in a worker has expired. */
const CACHED_MS = 1_500;

/**
 * Measures two sends against a plain send, in alternation on one worker. One is by an account with 5,000 do-not-send
 * rules, none of which matches a recipient. The other has five merge tags, three of them custom fields.
 */
export async function rulesAndTags({ world, sink, rounds, size }: Bench): Promise<Figure[]> {
  const list = await world.list(size, 'With columns');
  await world.db.query(
    `update subscriptions set first_name = 'Priya', last_name = 'Patel', attributes = jsonb_build_object('Region', 'TX ' || left(email, 5), 'Grade', 'gold', 'Badge', left(email, 4)) where email_list_id = $1`,
    [list],
  );
  await world.db.query(`insert into contact_fields values ($1, 'Region'), ($1, 'Grade'), ($1, 'Badge')`, [list]);
  await world.db.query('vacuum analyze subscriptions');
  await world.db.query(
    `insert into do_not_send_rules (owner_id, kind, value, company_domain, reason, expires_at)
     select $1, 'domain', 'nobody' || n || '.example', 'nobody' || n || '.example', 'competitor', now() - interval '1 day' from generate_series(1, $2::int) n`,
    [world.userId, RULES],
  );
  const hold = async (isHeld: boolean): Promise<void> => {
    await world.db.query(
      `update do_not_send_rules set expires_at = case when $1 then null else now() - interval '1 day' end where value like 'nobody%'`,
      [isHeld],
    );
    await pause(CACHED_MS);
  };
  const plain = { subject: SUBJECT, content: CONTENT };
  const tagged = { subject: TAGGED.subject, content: CONTENT.replace('Hello,', FIVE_TAGS) };
  const [without, ruled, filled]: [number[], number[], number[]] = [[], [], []];
  await withWorker(world, async () => {
    for (let round = -1; round < rounds; round++) {
      const keep = (into: number[], rate: number): void => void (round >= 0 && into.push(rate));
      await hold(false);
      keep(without, await productRate(world, sink, list, plain));
      keep(filled, await productRate(world, sink, list, tagged));
      await hold(true);
      keep(ruled, await productRate(world, sink, list, plain));
    }
  });
  await world.db.query(`delete from do_not_send_rules where value like 'nobody%'`);
  const [ofRules, ofTags] = [ruled, filled].map((rates) => rates.map((rate, i) => rate / without[i]!));
  return [
    figure('rules', median(ofRules!), each(ofRules!)),
    figure('further-columns', median(ofTags!), each(ofTags!)),
    info('delivered and logged, without', median(without), '/s'),
  ];
}

const FIVE_TAGS =
  'Hello {{first_name|there}} {{last_name}},\n\nfor {{field.region|you}}, {{field.grade}}, {{field.badge}}:';
const each = (values: readonly number[]): string => values.map((one) => one.toFixed(2)).join(', ');

/**
 * Sends to a plain list, alternately by a worker of this version and one of an earlier build. BENCH_BEFORE is the
 * folder of that build (dist).
 */
export async function beforeAndAfter({ world, sink, rounds, size }: Bench): Promise<Figure[]> {
  const before = process.env.BENCH_BEFORE;
  if (!before) return [info('plain lists, beside an earlier build: BENCH_BEFORE is not set', 0, '')];
  const list = await world.list(Math.max(size, 60_000), 'Plain');
  const run = async (folder?: string): Promise<{ delivered: number; laidOut: number }> => {
    const worker = await ProductProcess.start('worker', world.workerEnv, folder);
    try {
      await productRate(world, sink, list);
      await sink.reset();
      const { id } = await world.send(list);
      await world.settled(id);
      const { rows } = await world.db.query<{ rate: number }>(
        `with c as (select created_at as at, count(*) as n from email_delivery_logs where history_id = $1 group by 1), e as (select min(at) as first, max(at) as last from c)
         select (select sum(n) from c where c.at < e.last)::float8 / extract(epoch from e.last - e.first)::float8 as rate from e`,
        [id],
      );
      return { delivered: await rateOf(sink), laidOut: rows[0]!.rate };
    } finally {
      await worker.stop();
      await world.db.query('delete from email_history');
    }
  };
  const [delivered, laidOut]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const old = await run(before);
    const now = await run();
    delivered.push(now.delivered / old.delivered);
    laidOut.push(now.laidOut / old.laidOut);
  }
  return [
    figure('plain-lists', median(delivered), each(delivered)),
    figure('plain-rows', median(laidOut), each(laidOut)),
  ];
}

/** Measures a large send, and how recording its people's activity affects later sends and API calls. */
export async function rollUp({ world, sink, size, rounds }: Bench, people: People): Promise<Figure[]> {
  const small = await world.list(size, 'Sent meanwhile');
  await sink.reset();
  return withWorker(world, async () => {
    await productRate(world, sink, small);
    const paths = ['/api/email-lists', '/api/contacts?limit=50', '/api/email-history?limit=20', '/api/auth/user'];
    await apiLoad(world, paths, 4);
    const idle = await apiLoad(world, paths, 8);
    await sink.reset();
    const { id } = await world.send(people.lists[0]);
    await world.settled(id, 1_800_000);
    const start = performance.now();
    const isOpen = () => hasActivity(world, id);
    const calls = await apiLoad(world, paths, 8);
    const areCallsBeside = await isOpen();
    const meanwhile: number[] = [];
    for (let round = 0; round < rounds && (await isOpen()); round++) {
      const rate = await productRate(world, sink, small);
      if (await isOpen()) meanwhile.push(rate);
    }
    while (await isOpen()) await pause(100);
    const seconds = (performance.now() - start) / 1000;
    await everythingWritten(world);
    const alone: number[] = [];
    for (let round = 0; round < rounds; round++) {
      alone.push(await productRate(world, sink, small));
      await everythingWritten(world);
    }
    const { rows } = await world.db.query<{ n: number }>(
      'select recipient_count as n from email_history where id = $1',
      [id],
    );
    const detail = `${rows[0]!.n} messages`;
    return [
      ...(meanwhile.length > 0
        ? [
            figure(
              'activity',
              median(meanwhile) / median(alone),
              `${meanwhile.length} sends beside it, ${median(alone).toFixed(0)}/s alone`,
            ),
          ]
        : [info('the activity was written before a send ended beside it', 0, '')]),
      figure('activity-written', seconds, `${detail}; 8 s of calls and the sends ran beside it`),
      ...(areCallsBeside
        ? [
            figure(
              'activity-api',
              quantile(calls, 0.99) / quantile(idle, 0.99),
              `idle p99 ${quantile(idle, 0.99).toFixed(1)} ms`,
            ),
          ]
        : []),
    ];
  });
}

const hasActivity = async (world: World, id: string): Promise<boolean> =>
  ((await world.db.query('select 1 from email_history where id = $1 and activity_pending', [id])).rowCount ?? 0) > 0;

async function everythingWritten(world: World): Promise<void> {
  while ((await world.db.query('select 1 from email_history where activity_pending')).rowCount) await pause(50);
}
