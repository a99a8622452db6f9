import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ActivityRollup } from '../../../src/modules/delivery/activity/activity-rollup.service.js';
import { SendAudiences } from '../../../src/modules/delivery/index.js';
import { SendActivity } from '../../../src/modules/history/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../kit/app.js';
import type { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { send, settled, startSending, startWithSink } from './support.js';

let app: TestApp;
let web: TestApp;
let sink: SmtpSink;
const sql = <T extends object>(text: string, params: unknown[] = [], on = app) => rows<T>(on.em(), text, params);

beforeAll(async () => {
  ({ app, sink } = await startWithSink());
  // This instance accepts sends and delivers nothing.
  web = await startSending({ layOutAtOnce: 2 }, { env: { ROLE: 'web' } });
});
afterAll(() => closeAll(web, app));

/** A list of confirmed people with profiles. */
async function listOf(user: SignedUp, addresses: readonly string[], on = app) {
  const name = 'Java people';
  const { body } = await user.agent.post('/api/email-lists').send({ name }).expect(201);
  for (const email of addresses)
    await user.agent
      .post('/api/contacts')
      .send({ email, listIds: [body.id] })
      .expect(201);
  await sql(
    `update subscriptions set confirmed = true, confirmed_at = now(), subscription_type = 'job-posts', opt_in_state = 'none' where email_list_id = ?`,
    [body.id],
    on,
  );
  return { id: body.id as string, name };
}

const counting = async (user: SignedUp, operator: string, value?: number) =>
  (
    await user.agent
      .post('/api/segments/count')
      .send({ filter: { combinator: 'and', rules: [{ field: 'mailed', operator, ...(value && { value }) }] } })
      .expect(200)
  ).body.count as number;
const rolledUp = (id: string) =>
  until(
    async () => (await sql(`select 1 from email_history where id = ? and not activity_pending`, [id])).length === 1,
  );
const activityOf = (user: SignedUp) =>
  sql<{ email: string; mailed_count: number; was_mailed: boolean; has_bounced: boolean }>(
    `select p.email, a.mailed_count, a.last_mailed_at is not null as was_mailed, a.last_bounced_at is not null as has_bounced
     from contact_profiles p join contact_activity a on a.profile_id = p.id where p.owner_id = ? order by p.email`,
    [user.id],
  );
const contact = async (user: SignedUp, email: string) =>
  (await user.agent.get(`/api/contacts?limit=1&search=${encodeURIComponent(email)}`).expect(200)).body[0] as {
    lastMailedAt: string | null;
  };

describe('people that a send goes to', () => {
  it('count as mailed from its acceptance on; refused ones no longer do once it has ended', async () => {
    const user = await app.user();
    const list = await listOf(user, ['ok-act@x.test', 'p550-act@x.test']);
    expect(await counting(user, 'never')).toBe(2);
    const id = await send(user, list);
    expect(await counting(user, 'notLastDays', 7)).toBe(0);
    await settled(user, id);
    await rolledUp(id);
    expect(await counting(user, 'notLastDays', 7)).toBe(1);
    expect(await activityOf(user)).toEqual([
      { email: 'ok-act@x.test', mailed_count: 1, was_mailed: true, has_bounced: false },
      { email: 'p550-act@x.test', mailed_count: 0, was_mailed: false, has_bounced: true },
    ]);
    expect((await contact(user, 'ok-act@x.test')).lastMailedAt).not.toBeNull();
    expect((await contact(user, 'p550-act@x.test')).lastMailedAt).toBeNull();
    const { body: sorted } = await user.agent.get('/api/contacts?limit=2&sort=-lastMailedAt').expect(200);
    expect(sorted.map(({ email }: { email: string }) => email)).toEqual(['ok-act@x.test', 'p550-act@x.test']);
  });

  it('count as mailed while neither rows nor messages exist, once for each send', async () => {
    const user = await web.user({ set: { tier: 'pro' } });
    const large = await listOf(user, ['a-lay@x.test', 'b-lay@x.test', 'c-lay@x.test'], web);
    const small = await listOf(user, ['d-lay@x.test'], web);
    expect(await counting(user, 'never')).toBe(4);
    await Promise.all([large, small].map((list) => send(user, list, { subject: list === large ? 'Large' : 'Small' })));
    expect(await sql(`select 1 from send_layouts`, [], web)).toHaveLength(1);
    expect(await sql(`select 1 from email_delivery_logs`, [], web)).toHaveLength(1);
    expect(await counting(user, 'notLastDays', 1)).toBe(0);
    expect(await counting(user, 'atLeast', 1)).toBe(4);
    expect(await counting(user, 'atLeast', 2)).toBe(0);
    await send(user, large, { subject: 'Again' });
    expect(await counting(user, 'atLeast', 2)).toBe(3);
  });

  it('who failed at first are counted once a retry has reached them, and nobody is counted twice', async () => {
    const user = await app.user();
    const list = await listOf(user, ['full-act@x.test', 'ok2-act@x.test']);
    sink.answer = (address) => (address.startsWith('full') ? '552 5.2.2 mailbox full' : undefined);
    const id = await send(user, list);
    await settled(user, id);
    await rolledUp(id);
    expect(await counting(user, 'never')).toBe(1);
    sink.answer = () => undefined;
    await user.agent.post(`/api/email-history/${id}/retry`).expect(200);
    await settled(user, id);
    await rolledUp(id);
    expect((await activityOf(user)).map(({ mailed_count }) => mailed_count)).toEqual([1, 1]);
  });

  it('are each counted once, in batches, by several workers some of which die', async () => {
    const user = await web.user();
    const id = randomUUID();
    const people = 20_000;
    await sql(
      `insert into contact_profiles (owner_id, email, email_norm, email_hash, source)
       select ?, e, e, sha256(e::bytea), 'owner' from (select 'n' || n || '@roll.test' as e from generate_series(1, ${people}) n) x`,
      [user.id],
      web,
    );
    await sql(
      `insert into email_history (id, user_id, subject, content, email_type, status, sent_at, settled_at, usage_date, content_hash, sender_name, reply_to)
       values (?, ?, 'x', 'x', 'job-post', 'pending', now() - interval '1 hour', null, current_date, 'x', 'Ann', 'a@x.test')`,
      [id, user.id],
      web,
    );
    // The contacts of these deliveries no longer exist, so that each profile has to be found by its address.
    for (let from = 1; from < people; from += 2_500)
      await sql(
        `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status, sent_at, masked)
         select ?, ?, n, gen_random_uuid(), gen_random_uuid(), 'n' || n || '@roll.test', 'x', case when n % 100 = 0 then 'skipped' else 'sent' end, case when n % 100 > 0 then now() end, n % 100 = 1
         from generate_series(?::int, ?::int) n`,
        [user.id, id, from, from + 2_499],
        web,
      );
    const sends = web.get(SendActivity);
    let deaths = 3;
    const dying = Object.assign(Object.create(sends) as SendActivity, {
      advance: async (...args: Parameters<SendActivity['advance']>) => {
        await sends.advance(...args);
        if (deaths-- > 0) throw new Error('killed before its commit');
      },
    });
    await sql(`update email_history set status = 'sent', settled_at = now() where id = ?`, [id], web);
    const worker = async () => {
      for (;;) {
        const more = await new ActivityRollup(web.em(), dying, web.get(SendAudiences)).batch().catch(() => true);
        if (!more) return;
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    const [found] = await sql<{ people: number; once: number }>(
      `select count(*)::int as people, count(*) filter (where a.mailed_count = 1)::int as once from contact_activity a join contact_profiles p on p.id = a.profile_id where p.owner_id = ?`,
      [user.id],
      web,
    );
    // One in a hundred was skipped, and one in a hundred is known only from the network.
    expect(found).toEqual({ people: people * 0.98, once: people * 0.98 });
  });
});
