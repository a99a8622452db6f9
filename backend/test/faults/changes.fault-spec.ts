import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, many } from './kit/suite.js';
import type { Account } from './kit/world-settings.js';
import type { FaultWorld } from './kit/world.js';

/**
 * Maximum number of messages that may still go out after a change, because their consent was checked before it: one
 * batch for each of three ranges. A batch has at most 40 messages until answers show the server's speed.
 */
const STILL_GOES = 3 * 40;

async function counts(world: FaultWorld, account: Account, id: string): Promise<Record<string, number>> {
  const answer = await world.get(`/api/email-history/${id}`, account);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { counts: Record<string, number> }).counts;
}

faults('changes in the middle of a send', (fault) => {
  it('sends nothing more to a deleted list, contact or account; accepted sends of an account that lost its role or plan go out; the history stays', async () => {
    const { world, after } = fault;
    await world.start();
    world.sink.modes = { delayMs: 80 };
    /**
     * Sends to 300 recipients and applies a change after some messages.
     * @returns number of messages sent after the change
     */
    const change = async (
      name: string,
      account: Account,
      what: (id: string) => Promise<unknown>,
    ): Promise<{ id: string; later: number }> => {
      const id = await world.send(account, many(name, 300));
      await until('mail goes out', () => world.arrived(name) > 20);
      await after(0, 200);
      await what(id);
      const before = world.sink.attempts.length;
      await world.settled();
      return {
        id,
        later: world.sink.attempts.slice(before).filter(({ address }) => address.startsWith(`${name}-`)).length,
      };
    };
    const account = await world.account();

    const list = await change('list', account, async () => {
      const { rows } = await world.db.query<{ id: string }>(
        `select email_list_id as id from subscriptions where email = 'list-0@x0.test'`,
      );
      expect((await world.call('DELETE', `/api/email-lists/${rows[0]!.id}`, account)).status).toBe(204);
    });
    expect(list.later).toBeLessThanOrEqual(STILL_GOES);
    expect(await counts(world, account, list.id)).toMatchObject({
      sent: world.arrived('list'),
      skipped: 300 - world.arrived('list'),
    });

    let removed: string[] = [];
    await change('contact', account, async (id) => {
      const { rows } = await world.db.query<{ email: string }>(
        `delete from subscriptions s using (select contact_id from email_delivery_logs where history_id = $1 order by position desc limit 150) d where s.id = d.contact_id returning s.email`,
        [id],
      );
      removed = rows.map(({ email }) => email);
    });
    const stillMailed = removed.filter((address) => world.copiesOf(address) > 0);
    expect(removed).toHaveLength(150);
    expect(stillMailed.length).toBeLessThanOrEqual(STILL_GOES);
    expect(world.arrived('contact')).toBe(150 + stillMailed.length);

    await change('demoted', account, () =>
      world.db.query(
        `update users set role = 'bench-sales', tier = 'free', plan_access_until = now() - interval '1 day', subscription_status = 'canceled', custom_daily_limit = '0' where id = $1`,
        [account.id],
      ),
    );
    expect(world.arrived('demoted')).toBe(300);
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });

    const leaving = await world.account();
    const { later } = await change('gone', leaving, async () => {
      expect(
        (await world.post('/api/auth/delete-account', { password: 'correct horse battery' }, { account: leaving }))
          .status,
      ).toBe(200);
    });
    expect(later).toBeLessThanOrEqual(STILL_GOES);
    // On a busy machine the erasure continues after the answer.
    await until('the account is erased', async () => {
      const { rowCount } = await world.db.query('select 1 from users where id = $1', [leaving.id]);
      return rowCount === 0;
    });
    world.acknowledged.pop();
    expect(await judge(world, many('gone', 300))).toMatchObject({ ...clean, extraCopies: 0 });
    for (const instance of [...world.webs, ...world.workers]) expect(await instance.says('ready')).toBe(true);
  });
});
