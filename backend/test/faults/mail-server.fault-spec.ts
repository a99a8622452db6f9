import { expect, it } from '@jest/globals';
import { until } from '../cluster/kit/processes.js';
import { clean, judge } from './kit/oracle.js';
import { faults, many } from './kit/suite.js';

faults('mail servers that fail', (fault) => {
  it('F11 F17: the mail server refuses, closes early, is busy, or refuses our sign-in; nobody is blamed', async () => {
    const { world, random, after } = fault;
    await world.start();
    const account = await world.account();
    const modes = [{ refuse: true }, { closeEarly: true }, { busy: true }, { refuseSender: true }].sort(() => random() - 0.5);
    for (const [at, mode] of modes.entries()) {
      world.sink.modes = mode;
      world.sink.cutAll();
      await world.send(account, many(`ok${at}`, 20));
      await after(1500, 2500);
      const { rows } = await world.db.query(`select coalesce(sum(deferrals), 0)::int as n from email_delivery_logs where status = 'failed' or deferrals > 0`);
      expect(rows[0].n).toBe(0);
      world.sink.modes = {};
    }
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });

  it('F12 F13 F15 F16 F30 [short]: drops, lost answers, refusals, and one that cannot be made, each harm their own', async () => {
    const { world } = fault;
    await world.start();
    const addresses = [
      ...many('ok', 100), ...many('cutdot1', 10), ...many('cutdot9', 2), ...many('t450x2', 5), ...many('d451x1', 5), ...many('f421', 2), ...many('p550', 30), ...many('pol554', 10),
    ];
    await world.send(await world.account(), [...addresses, 'poison@\n.test']);
    await until('the others are out', () => world.arrived('ok') >= 100);
    // A mailbox whose server always says 421 ends with the time for retries; this one is not waited for.
    world.sink.answer = () => undefined;
    await world.db.query(`update email_delivery_logs set metadata = coalesce(metadata, '{}') || '{"since": 1}' where recipient_email like 'f421-%'`);
    await world.settled();
    const verdict = await judge(world);
    expect(verdict).toMatchObject(clean);
    expect(verdict.extraCopies).toBeLessThanOrEqual(10 + 2 * 3);
    const { rows } = await world.db.query<{ kind: string; status: string; n: number; attempts: number }>(
      `select split_part(recipient_email, '-', 1) as kind, status, count(*)::int as n from email_delivery_logs group by 1, 2 order by 1, 2`);
    const of = (kind: string) => Object.fromEntries(rows.filter((row) => row.kind === kind).map(({ status, n }) => [status, n]));
    expect({ ok: of('ok'), cutdot1: of('cutdot1'), cutdot9: of('cutdot9'), t450x2: of('t450x2'), d451x1: of('d451x1'), p550: of('p550'), pol554: of('pol554') }).toEqual({
      ok: { sent: 100 }, cutdot1: { sent: 10 }, cutdot9: { unconfirmed: 2 }, t450x2: { sent: 5 }, d451x1: { sent: 5 }, p550: { failed: 30 }, pol554: { failed: 10 },
    });
    for (const address of [...many('p550', 30)]) expect(world.sink.attemptsOf(address)).toBe(1);
  });

  it('F14: answers that come late are waited for', async () => {
    const { world } = fault;
    await world.start();
    world.sink.modes = { delayMs: 3000 };
    await world.send(await world.account(), many('ok', 20));
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });
  });
});
