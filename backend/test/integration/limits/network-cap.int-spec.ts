import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { RESERVE_SLOTS } from '../../../src/modules/delivery/batches/network-cap.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, sendBody, settled, startSending, type SeededList } from '../sending/support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

const REASON = "The network's daily limit for this address is reached";

interface PlanNode {
  'Subplan Name'?: string;
  'Actual Rows': number;
  Plans?: PlanNode[];
}

let app: TestApp;
let beside: TestApp;
let [ann, bob, eve]: SignedUp[] = [];

beforeAll(async () => {
  app = await startSending();
  beside = await startSending({}, { beside: app });
  [ann, bob, eve] = await Promise.all(Array.from({ length: 3 }, () => app.user({ set: { tier: 'pro' } })));
});
afterEach(() => {
  app.mails.answer = () => undefined;
});
afterAll(async () => {
  await beside.close();
  await app.close();
});

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const people = (count: number) =>
  Array.from({ length: count }, () => `n${randomBytes(5).toString('hex')}@network.test`);
let round = 0;
const post = (user: SignedUp, list: SeededList) => send(user, list, { subject: `Round ${++round}` });

/** Replaces the default list's contacts by these people. */
async function network(addresses: string[]): Promise<SeededList> {
  for (const user of [ann!, bob!, eve!]) await untilAccountSettled(app, user);
  await query('delete from subscriptions where email_list_id = (select id from email_lists where is_default)');
  return seedList(app, null, { addresses });
}
const reachedBy = (user: SignedUp, address: string, slot: number, days: number) =>
  query(
    `insert into network_mails (address_hash, day, slot, delivery_id, sender_id)
     select sha256(?::bytea), (now() at time zone 'UTC')::date - n, ?, gen_random_uuid(), ? from generate_series(1, ?::int) n`,
    [address, slot, user.id, days],
  );
const deliveriesOf = async (user: SignedUp, id: string) =>
  (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
    status: string;
    detail: string | null;
    recipientEmail: string;
  }[];

describe("the network's daily cap", () => {
  it('applies to all senders together, and the log gives the reason for a skip', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    for (const user of [ann!, bob!, eve!])
      expect((await settled(user, await post(user, list))).counts).toMatchObject({ sent: 1, skipped: 0 });
    const fourth = await post(ann!, list);
    expect((await settled(ann!, fourth)).counts).toMatchObject({ sent: 0, skipped: 1 });
    const [row] = await deliveriesOf(ann!, fourth);
    expect(row).toMatchObject({
      status: 'skipped',
      detail: expect.stringContaining(REASON),
      recipientEmail: expect.stringContaining('…@'),
    });
    expect(app.mails.to(person!)).toHaveLength(3);
  });

  it('does not count mail to own lists, and is reset daily', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    const own = await seedList(app, ann!, { addresses: [person!] });
    for (let n = 0; n < 3; n++) await settled(bob!, await post(bob!, list));
    expect((await settled(ann!, await post(ann!, own))).counts).toMatchObject({ sent: 1, skipped: 0 });
    await query(`update network_mails set day = day - 1 where address_hash = sha256(?::bytea)`, [person]);
    expect((await settled(bob!, await post(bob!, list))).counts).toMatchObject({ sent: 1 });
  });

  it('frees the slot of a mail that failed for good; a retry keeps its slot', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    app.mails.answer = () => ({ code: 550, message: '5.7.1 not today' });
    for (let n = 0; n < 4; n++)
      expect((await settled(ann!, await post(ann!, list))).counts).toMatchObject({ failed: 1, skipped: 0 });
    expect(await query('select 1 from network_mails where address_hash = sha256(?::bytea)', [person])).toEqual([]);
    let tries = 0;
    // Refuses only mail to this person, because the sender's notices about failed sends go out at the same time.
    app.mails.answer = (address) =>
      address === person && ++tries < 3 ? { code: 450, message: '4.7.1 later' } : undefined;
    expect((await settled(ann!, await post(ann!, list))).counts).toMatchObject({ sent: 1 });
    expect(tries).toBe(3);
    expect(await query('select 1 from network_mails where address_hash = sha256(?::bytea)', [person])).toHaveLength(1);
  });

  it('applies to concurrent senders on two instances', async () => {
    const crowd = people(40);
    const list = await network(crowd);
    const sends = await Promise.all(
      [ann!, bob!, eve!].flatMap((user) => [0, 1].map(async () => [user, await post(user, list)] as const)),
    );
    const ended = await Promise.all(sends.map(([user, id]) => settled(user, id)));
    for (const person of crowd) expect(app.mails.to(person)).toHaveLength(3);
    const sum = (key: string) => ended.reduce((total, { counts }) => total + counts[key]!, 0);
    expect([sum('sent'), sum('skipped')]).toEqual([120, 120]);
    expect(await query('select 1 from network_mails where slot > 3')).toEqual([]);
  });

  it('prefers the sender who mailed the person less often', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    await reachedBy(ann!, person!, 1, 3);
    await reachedBy(bob!, person!, 2, 1);
    // Two of today's slots are taken; Ann's and Bob's sends came first, but Eve reached this person less often
    // recently.
    await query(
      `insert into network_mails (address_hash, day, slot, delivery_id, sender_id)
       select sha256(?::bytea), (now() at time zone 'UTC')::date, n, gen_random_uuid(), gen_random_uuid() from generate_series(1, 2) n`,
      [person],
    );
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const sends = [
      [ann!, await post(ann!, list)],
      [bob!, await post(bob!, list)],
      [eve!, await post(eve!, list)],
    ] as const;
    await queue.resume();
    const [first, second, third] = await Promise.all(sends.map(([user, id]) => settled(user, id)));
    expect([first!.counts.skipped, second!.counts.skipped, third!.counts.sent]).toEqual([1, 1, 1]);
  });

  it('counts accounts of one mailbox as one sender with one slot', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    const name = `spam${randomBytes(4).toString('hex')}`;
    const aliases = await Promise.all(
      [`${name}+1@gmail.com`, `${name}+2@gmail.com`, `${name.slice(0, 3)}.${name.slice(3)}@gmail.com`].map((email) =>
        app.user({ email, set: { tier: 'pro' } }),
      ),
    );
    const counts = [];
    for (const user of aliases) counts.push((await settled(user, await post(user, list))).counts);
    expect(counts).toMatchObject([{ sent: 1 }, { sent: 0, skipped: 1 }, { sent: 0, skipped: 1 }]);
    expect((await settled(ann!, await post(ann!, list))).counts).toMatchObject({ sent: 1 });
  });

  it('reserves no slot for waiting aliases', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    const name = `crowd${randomBytes(4).toString('hex')}`;
    const aliases = await Promise.all(
      [1, 2, 3, 4].map((n) => app.user({ email: `${name}+${n}@sender.test`, set: { tier: 'pro' } })),
    );
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const sends: (readonly [SignedUp, string])[] = [];
    for (const user of [...aliases, ann!, bob!]) sends.push([user, await post(user, list)]);
    await queue.resume();
    const ended = await Promise.all(sends.map(([user, id]) => settled(user, id)));
    expect(ended.slice(0, 4).reduce((sum, { counts }) => sum + counts.sent!, 0)).toBe(1);
    expect(ended.slice(4).map(({ counts }) => counts.sent)).toEqual([1, 1]);
  });

  it('compares a bounded number of deliveries to one person, however many senders wait', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const first = await post(ann!, list);
    // Deliveries to this person by other senders that are still open.
    await query(
      `insert into email_delivery_logs (id, user_id, history_id, position, contact_id, email_list_id, masked, recipient_email, subject, status)
       select gen_random_uuid(), gen_random_uuid(), d.history_id, 1000 + n, d.contact_id, d.email_list_id, true, d.recipient_email, d.subject, 'queued'
       from email_delivery_logs d cross join generate_series(1, 3000) n where d.history_id = ?`,
      [first],
    );
    const [wish] = await query<{ deliveryId: string }>(
      `select id as "deliveryId" from email_delivery_logs where history_id = ? and position = 1`,
      [first],
    );
    const [explained] = await query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, format json) ${RESERVE_SLOTS}`,
      [JSON.stringify([{ id: wish!.deliveryId, hash: createHash('sha256').update(person!).digest('hex') }]), 3, 3],
    );
    const nodes = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
    const compared = nodes(explained!['QUERY PLAN'][0].Plan).find((node) => node['Subplan Name'] === 'CTE contender')![
      'Actual Rows'
    ];
    expect(compared).toBeGreaterThan(0);
    expect(compared).toBeLessThan(100);
    await query(`delete from email_delivery_logs where history_id = ? and position > 1000`, [first]);
    await queue.resume();
    await settled(ann!, first);
  });

  it('requires a minimum age of Free accounts, where configured', async () => {
    const careful = await startSending({}, { beside: app, env: { NETWORK_MIN_ACCOUNT_DAYS: '7' } });
    try {
      const list = await network(people(1));
      const user = await careful.user();
      const attempt = (who: SignedUp, path = '') =>
        who.agent
          .post(`/api/send-email${path}`)
          .send(path ? { emailListIds: [list.id], emailType: 'job-post' } : sendBody(list));
      for (const path of ['', '/preview']) {
        const { body } = await attempt(user, path).expect(403);
        expect(body).toMatchObject({
          code: 'network_not_open',
          message: expect.stringContaining('opens 7 days after registration'),
        });
      }
      await attempt(await careful.user({ set: { tier: 'pro' } })).expect(202);
      await attempt(await careful.user({ admin: true })).expect(202);
      await query(`update users set created_at = now() - interval '7 days 1 minute' where id = ?`, [user.id]);
      await attempt(user).expect(202);
    } finally {
      await careful.close();
    }
  });

  it('names the sender in the unsubscribe link of a network mail', async () => {
    const [person] = people(1);
    const list = await network([person!]);
    await settled(ann!, await post(ann!, list));
    const [mail] = app.mails.to(person!);
    expect(linkIn(mail!, '/unsubscribe/').pathname).toMatch(/^\/unsubscribe\/[\w-]{43}\.[\w-]{22}$/);
  });
});
