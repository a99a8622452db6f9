import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptInBatch } from '../../../src/modules/lists/opt-in/opt-in-batch.service.js';
import { OptInDispatcher } from '../../../src/modules/lists/opt-in/opt-in-dispatcher.js';
import { OutreachBudget } from '../../../src/modules/lists/index.js';
import { ReferralSweeper } from '../../../src/modules/referrals/referral-sweeper.js';
import { SingleRunner } from '../../../src/shared/database/single-runner.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { hashMailbox } from '../../../src/shared/mail/address.js';
import { SystemMailWorker } from '../../../src/shared/mail/system-mail/system-mail-worker.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { add, newList, query } from './support.js';

/** An instance that does not send its outbox. */
let app: TestApp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  admin = await app.user({ admin: true });
  await app.get(SystemMailWorker).beforeApplicationShutdown();
});
afterAll(() => app.close());

let serial = 0;
const person = () => `w${(serial += 1)}@standing.example`;
const suspend = (user: SignedUp) =>
  admin.agent
    .patch(`/api/admin/users/${user.id}`)
    .send({ suspended: true, reason: 'It mails strangers without consent.' });
const mailsTo = (emails: string[]) =>
  query<{ status: string; payload: object | null }>(
    app,
    `select status, payload from system_mails where recipient_hash in (select sha256(value::bytea) from jsonb_array_elements_text(?::jsonb)) and kind in ('lists.opt-in', 'referrals.invite')`,
    [JSON.stringify(emails)],
  );
/** Adds contacts whose mails are due, while no dispatcher runs. */
async function dueContacts(user: SignedUp, count: number) {
  const { id } = await newList(user);
  const emails = Array.from({ length: count }, person);
  for (const email of emails) await add(user, id, email).expect(201);
  return { emails, shares: [{ list: id, source: 'owner' as const, ownerId: user.id, most: 100 }] };
}
describe('a batch of confirmation mails', () => {
  it.each([
    ['suspended', async (user: SignedUp) => void (await suspend(user).expect(200))],
    [
      'closed',
      async (user: SignedUp) =>
        void (await user.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200)),
    ],
  ])('contains no mail of an owner who was %s after the batch checked who may send', async (_what, end) => {
    const user = await app.user();
    await app.get(SingleRunner).run('lists.opt-in', async () => {
      const { emails, shares } = await dueContacts(user, 3);
      const senders = await app.get(OutreachBudget).sendersOf([user.id]);
      expect(senders.size).toBe(1);
      await end(user);
      expect(await app.get(OptInBatch).settle(shares, senders)).toBe(0);
      expect(await mailsTo(emails)).toEqual([]);
    });
  });

  it('makes a concurrent suspension wait for its commit; the suspension then withdraws the mails', async () => {
    const user = await app.user();
    await app.get(SingleRunner).run('lists.opt-in', async () => {
      const { emails, shares } = await dueContacts(user, 3);
      const senders = await app.get(OutreachBudget).sendersOf([user.id]);
      const order: string[] = [];
      const em = app.em();
      let batch!: Promise<unknown>;
      let suspension!: Promise<unknown>;
      await em.transactional(async (held) => {
        // Blocks the batch at the sender's budget, which comes after the check whether the sender may send.
        await rows(
          held as typeof em,
          `insert into outreach_days (sender, day) values (?, (now() at time zone 'UTC')::date)`,
          [hashMailbox(user.email)],
        );
        batch = app
          .get(OptInBatch)
          .settle(shares, senders)
          .then(() => order.push('batch'));
        await until(async () => (await waitingFor('outreach_days')) === 1);
        suspension = suspend(user)
          .expect(200)
          .then(() => order.push('suspension'));
        await until(async () => (await waitingFor('users')) === 1);
        expect(order).toEqual([]);
      });
      await Promise.all([batch, suspension]);
      expect(order).toEqual(['batch', 'suspension']);
      const mails = await mailsTo(emails);
      expect(mails).toHaveLength(3);
      expect(mails.every(({ status, payload }) => status === 'failed' && payload === null)).toBe(true);
    });
  });

  it('skips an owner whose account is locked, without waiting', async () => {
    const [busy, idle] = [await app.user(), await app.user()];
    await app.get(SingleRunner).run('lists.opt-in', async () => {
      const [first, second] = [await dueContacts(busy, 2), await dueContacts(idle, 2)];
      const senders = await app.get(OutreachBudget).sendersOf([busy.id, idle.id]);
      const em = app.em();
      await em.transactional(async (held) => {
        await rows(held as typeof em, `select 1 from users where id = ? for update`, [busy.id]);
        expect(await app.get(OptInBatch).settle([...first.shares, ...second.shares], senders)).toBe(2);
      });
      expect(await mailsTo(first.emails)).toEqual([]);
      expect(await app.get(OptInBatch).settle(first.shares, senders)).toBe(2);
    });
  });
});

const waitingFor = async (table: string): Promise<number> =>
  (
    await query<{ n: number }>(
      app,
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ilike ?`,
      [`%${table}%`],
    )
  )[0]!.n;

describe('system mails waiting for the mail server', () => {
  /** Puts confirmation mails and an invite into the outbox; a worker that died has claimed one of them. */
  async function waiting() {
    const user = await app.user();
    const { id } = await newList(user);
    const emails = [person(), person(), person()];
    for (const email of emails.slice(0, 2)) await add(user, id, email).expect(201);
    await user.agent.post('/api/referrals/invite').send({ inviteeEmail: emails[2] }).expect(201);
    await until(async () => (await mailsTo(emails)).length === 3);
    await query(
      app,
      `update system_mails set status = 'sending', lease_until = now() - interval '1 second' where recipient_hash = sha256(?::bytea)`,
      [emails[1]],
    );
    return { user, emails };
  }
  const gone = async (emails: string[]) =>
    (await mailsTo(emails)).every(({ status, payload }) => status === 'failed' && payload === null);

  it("are withdrawn when their account is suspended, and no other account's are", async () => {
    const [{ user, emails }, other] = [await waiting(), await waiting()];
    await suspend(user).expect(200);
    expect(await gone(emails)).toBe(true);
    expect((await mailsTo(other.emails)).every(({ status }) => status === 'queued' || status === 'sending')).toBe(true);
  });

  it('are withdrawn when their account is closed', async () => {
    const { user, emails } = await waiting();
    await user.agent.post('/api/auth/delete-account').send({ password: PASSWORD }).expect(200);
    await until(() => gone(emails));
  });

  it("are withdrawn by the sweep where the process died before the suspension's event", async () => {
    const { user, emails } = await waiting();
    await query(app, `update users set suspended_at = now() where id = ?`, [user.id]);
    await app.get(OptInDispatcher).sweep();
    await app.get(ReferralSweeper).sweep();
    expect(await gone(emails)).toBe(true);
  });
});
