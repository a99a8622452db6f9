import { randomUUID } from 'node:crypto';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../../kit/app.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { type SeededList, sendBody } from '../support.js';

/** @param here returns the current app and list; read again in each call of a helper */
export function testMailHelpers(here: () => { app: TestApp; list: SeededList }) {
  const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(here().app.em(), sql, params);
  const anybody = () => `t-${randomUUID().slice(0, 8)}@testers.test`;
  const test = (user: SignedUp, to: string[], extra: Record<string, unknown> = {}) =>
    user.agent.post('/api/send-email/test').send(sendBody(here().list, { to, ...extra }));
  /** Tests that arrived at an address. The account's own address has also received a system mail. */
  const testsTo = (address: string) =>
    here()
      .app.mails.to(address)
      .filter(({ subject }) => subject.startsWith('[Test] '));
  const untilArrived = async (address: string, count: number) => {
    await until(`${count} tests`, () => testsTo(address).length >= count);
    return testsTo(address);
  };
  const latest = async (user: SignedUp) =>
    (await user.agent.get('/api/send-email/tests').expect(200)).body as {
      address: string | null;
      status: string;
      reason: string | null;
    }[];
  const untilOver = async (user: SignedUp) => {
    let found = await latest(user);
    await until('the tests are over', async () =>
      (found = await latest(user)).every(({ status }) => status === 'sent' || status === 'failed'),
    );
    return found;
  };

  async function tester(user: SignedUp, address = anybody(), isConfirmed = true): Promise<string> {
    await query(
      `insert into testers (user_id, address, address_hash, token_hash, confirmed_at)
       values (?, ?, sha256(lower(?)::bytea), ?, case when ? then now() end)`,
      [user.id, address, address, randomUUID(), isConfirmed],
    );
    return address;
  }
  return { query, anybody, test, testsTo, untilArrived, latest, untilOver, tester };
}
