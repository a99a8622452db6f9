import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, many } from './kit/suite.js';
import type { FaultWorld } from './kit/world.js';

/** Number of deliveries, by the first part of their address and by status. */
async function outcomes(world: FaultWorld): Promise<Record<string, Record<string, number>>> {
  const { rows } = await world.db.query<{ kind: string; status: string; n: number }>(
    `select split_part(recipient_email, '-', 1) as kind, status, count(*)::int as n from email_delivery_logs group by 1, 2`,
  );
  const result: Record<string, Record<string, number>> = {};
  for (const { kind, status, n } of rows) (result[kind] ??= {})[status] = n;
  return result;
}

/** Deliveries with a recorded bounce report. */
async function blamed(world: FaultWorld): Promise<number> {
  const { rows } = await world.db.query<{ n: number }>(
    `select count(*)::int as n from email_delivery_logs where status = 'failed' or deferrals > 0 or ambiguous > 0`,
  );
  return rows[0]!.n;
}

const stateOfAccount = async (world: FaultWorld) =>
  (
    await world.db.query<{ state: string; failures: number }>(
      'select state, failures from email_providers where is_default',
    )
  ).rows[0];

faults('failing mail servers', (fault) => {
  it('no recipient is blamed while the mail server is down, silent or busy, resets or closes connections early, or refuses the login or the sender', async () => {
    const { world, random, after } = fault;
    await world.start();
    const account = await world.account();
    const troubles = ['down', 'refuse', 'closeEarly', 'mute', 'busy', 'refuseAuth', 'refuseSender'] as const;
    for (const trouble of [...troubles].sort(() => random() - 0.5)) {
      if (trouble === 'down') world.sink.unplug();
      else world.sink.modes = { [trouble]: true };
      world.sink.cutAll();
      await world.send(account, many(`ok${trouble}`, 20));
      await until(
        `${trouble}: the account counts as failing`,
        async () => (await stateOfAccount(world))?.state === 'failing',
      );
      await after(1000, 2000);
      expect([trouble, await blamed(world), world.arrived(`ok${trouble}-`)]).toEqual([trouble, 0, 0]);
      // One log error per outage of the account, not one per message.
      expect((await stateOfAccount(world))!.failures).toBeLessThanOrEqual(2);
      if (trouble === 'down') await world.sink.plugIn();
      world.sink.modes = {};
      world.sink.cutAll();
      await until(`${trouble}: all is delivered`, () => world.arrived(`ok${trouble}-`) === 20);
      await until(`${trouble}: the account counts as well`, async () => (await stateOfAccount(world))?.state === 'ok');
    }
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(await blamed(world)).toBe(0);
  });

  it('[short] connections lost in mid-message cause no duplicates; lost answers cause at most three attempts', async () => {
    const { world } = fault;
    await world.start();
    await world.send(await world.account(), [
      ...many('ok', 70),
      ...many('cutdata1', 10),
      ...many('cutdot1', 10),
      ...many('cutdot9', 10),
    ]);
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    const copies = (name: string): number[] => many(name, 10).map(world.copiesOf);
    expect(copies('cutdata1')).toEqual(Array(10).fill(1));
    expect(Math.max(...copies('cutdot1'), ...copies('ok'))).toBe(2);
    expect(verdict.extraCopies).toBeLessThanOrEqual(10 + 30);
    expect(await outcomes(world)).toEqual({
      ok: { sent: 70 },
      cutdata1: { sent: 10 },
      cutdot1: { sent: 10 },
      cutdot9: { unconfirmed: 10 },
    });
    const { rows } = await world.db.query(
      `select 1 from email_delivery_logs where recipient_email like 'cutdot%' and ambiguous = 0`,
    );
    expect(rows).toEqual([]);
  });

  it('late answers are waited for; after the time limit a message is sent at most three times', async () => {
    const { world } = fault;
    await world.start();
    world.sink.modes = { delayMs: 1500 };
    await world.send(await world.account(), [...many('slow30000', 5), ...many('late', 10)]);
    await until('all are stored', () => world.arrived('late') === 10);
    world.sink.modes = {};
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(world.arrived('late')).toBe(10);
    expect(await outcomes(world)).toEqual({ late: { sent: 10 }, slow30000: { unconfirmed: 5 } });
    expect(verdict.extraCopies).toBe(5 * 3);
  });

  it('temporary refusals (450 twice, 421 at the recipient, 451 after the message) are retried by the schedule; other recipients are not delayed', async () => {
    const { world } = fault;
    await world.start({ env: { RETRY_SCHEDULE: '8,2,2,2,2' } });
    // At a provider of their own, because a 421 lowers the rate of all mail to its provider.
    const refusedBy421 = [0, 1, 2, 3, 4].map((n) => `r421x1-${n}@busy.test`);
    const patient = [...many('t450x2', 10), ...many('d451x1', 10), ...refusedBy421];
    await world.send(await world.account(), [...many('ok', 100), ...patient]);
    await world.settled();
    const attemptsAt = (addresses: string[], attempt: number): number[] =>
      addresses.map((address) => world.sink.attempts.filter((one) => one.address === address)[attempt]!.at);
    expect(Math.max(...attemptsAt(many('ok', 100), 0))).toBeLessThan(Math.min(...attemptsAt(many('t450x2', 10), 2)));
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(await outcomes(world)).toEqual({
      ok: { sent: 100 },
      t450x2: { sent: 10 },
      d451x1: { sent: 10 },
      r421x1: { sent: 5 },
    });
    for (const address of many('t450x2', 10)) {
      const [first, second, third] = world.sink.attempts.filter((one) => one.address === address).map(({ at }) => at);
      expect([second! - first! >= 6_400, third! - second! >= 1600]).toEqual([true, true]);
    }
    expect(many('ok', 100).map(world.sink.attemptsOf)).toEqual(Array(100).fill(1));
  });

  it('[short] a refusal, or a message that cannot be composed, affects its own recipient only, is logged and not retried', async () => {
    const { world } = fault;
    await world.start();
    const id = await world.send(await world.account(), [
      ...many('ok', 60),
      ...many('p550', 30),
      ...many('pol554', 10),
      'poison@\n.test',
    ]);
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
    expect(world.arrived('ok') + world.arrived('p')).toBe(60);
    const { rows } = await world.db.query<{ kind: string; class: string; reason: string; n: number }>(
      `select regexp_replace(recipient_email, '[-@].*', '') as kind, metadata->>'class' as class, metadata->>'reason' as reason, count(*)::int as n
       from email_delivery_logs where status = 'failed' group by 1, 2, 3 order by 1`,
    );
    expect(rows).toEqual([
      { kind: 'p550', class: 'hard-address', reason: 'The mailbox does not exist', n: 30 },
      { kind: 'poison', class: 'content', reason: 'The message could not be made', n: 1 },
      { kind: 'pol554', class: 'policy', reason: 'The mail server refused the message', n: 10 },
    ]);
    // Counted by the mail server: a batch whose lease ends on a busy machine is claimed again, which the database
    // counts as an attempt.
    expect([...many('p550', 30), ...many('pol554', 10)].map(world.sink.attemptsOf)).toEqual(Array(40).fill(1));
    const {
      rows: [history],
    } = await world.db.query('select status from email_history where id = $1', [id]);
    expect(history.status).toBe('sent');
  });
});
