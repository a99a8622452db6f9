import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median, quantile, type Figure } from '../goals/goals.js';
import { CONTENT, SUBJECT } from '../message.js';
import type { People } from '../people.js';
import { seen, withWorker } from '../rates.js';
import type { Bench } from '../scenario.js';
import type { World } from '../world.js';

const RULES = 2_000;
const ACCEPTED = 8;

interface Prepared {
  id: string;
  /** Recipients a second, from the acceptance of the send to the last delivery row. */
  rate: number;
  recipients: number;
}

/**
 * Compares, in alternation on one worker, a send to two lists and two segments with a send to the two lists alone. The
 * first one excludes the members of another list, and has do-not-send rules and a cap of two people per company.
 * @returns the figures, and the id of a send that left people out
 */
export async function preparing(
  { world, sink, parameter, rounds }: Bench,
  people: People,
): Promise<{ figures: Figure[]; sendId: string }> {
  const choice = await choiceOf(world, people);
  await addRules(world, people);
  await sink.set({ refuse: true });
  const [plain, chosen]: [Prepared[], Prepared[]] = [[], []];
  await withWorker(world, async () => {
    for (let round = -1; round < parameter('prepared', Math.min(rounds, 3)); round++) {
      await hold(world, false);
      const one = await prepared(world, { emailListIds: choice.emailListIds });
      await hold(world, true);
      const other = await prepared(world, choice);
      if (round >= 0) {
        plain.push(one);
        chosen.push(other);
      }
      await forget(world, one.id);
      await forget(world, other.id);
    }
  });
  await sink.set({});
  const times: number[] = [];
  for (let i = 0; i < ACCEPTED; i++) {
    const start = performance.now();
    const id = await accept(world, choice);
    times.push(performance.now() - start);
    await forget(world, id);
  }
  const first = await firstMessage(world, sink, choice);
  await hold(world, false);
  const each = chosen.map(({ rate }, i) => rate / plain[i]!.rate);
  return {
    sendId: first.id,
    figures: [
      figure('audience', median(each), each.map((one) => one.toFixed(2)).join(', ')),
      figure('audience-first', first.seconds, `${first.leftOut} left out`),
      figure('audience-accept', quantile(times, 0.95), times.map((one) => one.toFixed(0)).join(', ')),
      info('prepared, plain lists', median(plain.map(({ rate }) => rate)), '/s', `${plain[0]!.recipients} recipients`),
      info(
        'prepared, segments and rules',
        median(chosen.map(({ rate }) => rate)),
        '/s',
        `${chosen[0]!.recipients} recipients`,
      ),
    ],
  };
}

type Choice = { emailListIds: string[] };

async function choiceOf(world: World, { lists, tags }: People): Promise<Choice> {
  const segment = async (name: string, ...rules: object[]): Promise<string> => {
    const answer = await world.call('POST', '/api/segments', { name, filter: { combinator: 'and', rules } });
    return ((await answer.json()) as { id: string }).id;
  };
  return {
    emailListIds: [lists[0], lists[1]],
    segmentIds: [
      await segment(
        'Texas and Oklahoma',
        { field: 'region', operator: 'isOneOf', value: ['TX', 'OK'] },
        { field: 'tags', operator: 'anyOf', value: [String(tags[15]), String(tags[16])] },
      ),
      await segment(
        'Gold, not lately',
        { field: 'field.tier', operator: 'isOneOf', value: ['gold'] },
        { field: 'mailed', operator: 'notLastDays', value: 7 },
      ),
    ],
    excludeListIds: [lists[2]],
    perCompany: { max: 2 },
  } as Choice;
}

/** Adds rules for a tenth of the companies and for some addresses. */
async function addRules(world: World, { ownerId, count }: People): Promise<void> {
  const domains = Math.min(RULES * 0.8, Math.floor(count / 120));
  await world.db.query(
    `insert into do_not_send_rules (owner_id, kind, value, company_domain, reason)
     select $1, 'domain', 'company' || n * 7 || '.example', 'company' || n * 7 || '.example', 'end_client' from generate_series(1, $2::int) n`,
    [ownerId, domains],
  );
  await world.db.query(
    `insert into do_not_send_rules (owner_id, kind, value, address_hash, reason)
     select $1, 'address', p.email_norm, p.email_hash, 'other' from contact_profiles p where p.owner_id = $1 order by p.email_hash limit $2`,
    [ownerId, RULES - domains],
  );
}

/**
 * Turns the rules on or off. With rules that cover its contacts, an account's send to plain lists freezes its audience
 * too, so the rules are off for the comparison.
 */
async function hold(world: World, isHeld: boolean): Promise<void> {
  await world.db.query(
    `update do_not_send_rules set expires_at = case when $1 then null else now() - interval '1 day' end`,
    [isHeld],
  );
}

async function accept(world: World, choice: Choice): Promise<string> {
  const answer = await world.call('POST', '/api/send-email', {
    ...choice,
    subject: `${SUBJECT} ${performance.now()}`,
    content: CONTENT,
    emailType: 'job-post',
  });
  return ((await answer.json()) as { id: string }).id;
}

async function prepared(world: World, choice: Choice): Promise<Prepared> {
  const id = await accept(world, choice);
  const start = performance.now();
  while ((await world.db.query('select 1 from send_layouts where history_id = $1', [id])).rowCount) await pause(10);
  const seconds = (performance.now() - start) / 1000;
  const { rows } = await world.db.query<{ n: number; failure: string | null }>(
    `select (select count(*) from email_delivery_logs where history_id = $1)::int as n, (select failure from send_audiences where history_id = $1) as failure`,
    [id],
  );
  const { n: recipients, failure } = rows[0]!;
  if (failure || recipients === 0) throw new Error(failure ?? 'nobody was prepared');
  return { id, rate: recipients / seconds, recipients };
}

const forget = (world: World, id: string): Promise<unknown> =>
  world.db.query('delete from email_history where id = $1', [id]);

/** Time from accepting a send to this audience until its first message reaches the sink. The send is then cancelled. */
async function firstMessage(
  world: World,
  sink: Bench['sink'],
  choice: Choice,
): Promise<{ id: string; seconds: number; leftOut: number }> {
  await sink.reset();
  return withWorker(world, async () => {
    const start = performance.now();
    const id = await accept(world, choice);
    await seen(sink, 1, 600_000);
    const seconds = (performance.now() - start) / 1000;
    await world.call('POST', `/api/email-history/${id}/cancel`);
    await world.settled(id);
    const { rows } = await world.db.query<{ n: number }>(
      'select left_out as n from send_audiences where history_id = $1',
      [id],
    );
    return { id, seconds, leftOut: rows[0]!.n };
  });
}
