import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { ConsentChanges } from '../../../src/modules/delivery/batches/consent-changes.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled, startSending } from './support.js';

/** Number of unsubscribes per send; `LEAVERS=1000` for the full measurement. */
const LEAVERS = Number(process.env.LEAVERS ?? 0);
/** Connections of the transport. Each may have one message in flight. */
const CONNECTIONS = 10;
const sink = new SmtpSink();
let app: TestApp;

beforeAll(async () => {
  app = await startSending({}, { env: { SMTP_URL: await sink.listen() } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const unlimited = { set: { tier: 'pro', agency_name: 'Acme' } };
const addresses = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${name}${i}@x${i % 40}.test`);

/**
 * Starts a send with large batches: a quick send has made the worker's batches large, and then the server becomes slow.
 */
async function slowSend(name: string, delayMs: number, count: number) {
  const user = await app.user(unlimited);
  sink.modes.delayMs = 0;
  await settled(user, await send(user, await seedList(app, user, { addresses: addresses(`${name}-quick`, 2_000) })));
  sink.modes.delayMs = delayMs;
  const list = await seedList(app, user, { addresses: addresses(name, count) });
  const contacts = await rows<{ email: string; token: string }>(
    app.em(),
    `select email, unsubscribe_token as token from subscriptions where email_list_id = ? order by email_norm`,
    [list.id],
  );
  const id = await send(user, list, { subject: name });
  await begun(name);
  return { user, id, list, contacts };
}

const mailed = (name: string) =>
  sink.attempts.filter(({ address }) => address.startsWith(`${name}`) && !address.includes('-quick'));
async function begun(name: string, count = 1): Promise<void> {
  await until(() => mailed(name).length >= count);
}

/**
 * Waits until the worker has received all consent changes committed so far.
 * @returns the number of attempts by then
 */
async function heard(): Promise<number> {
  const mark = randomUUID();
  const note = jest.spyOn(app.get(ConsentChanges), 'note');
  await rows(app.em(), `select pg_notify('consent_changes', ?)`, [mark]);
  await until(() => note.mock.calls.some(([tokens]) => tokens.includes(mark)));
  note.mockRestore();
  // Messages that were written to a connection before have now reached the server, which runs in this process.
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return sink.attempts.length;
}

describe('a person who unsubscribes during a send through a slow server', () => {
  it.each([
    ['idle', 300, 400],
    ['busy', 300, 400],
    ['idle', 1_000, 150],
    ['busy', 1_000, 150],
  ] as const)(
    'is not mailed once the worker has heard of it, on a machine that is %s, at %i ms a message',
    async (machine, delayMs, quick) => {
      const count = LEAVERS ? Math.ceil((LEAVERS * 4) / 3) : quick;
      const burners = machine === 'busy' ? [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
      try {
        const name = `leave-${machine}-${delayMs}-`;
        const { user, id, contacts } = await slowSend(name, delayMs, count);
        const heardAt = new Map<string, number>();
        const leavers = contacts.filter((_contact, i) => i % 4 !== 0);
        for (let at = 0; at < leavers.length; at += 10) {
          const some = leavers.slice(at, at + 10);
          await Promise.all(
            some.map(({ token }) =>
              app.http().post(`/unsubscribe/${token}`).send('List-Unsubscribe=One-Click').expect(200),
            ),
          );
          const by = await heard();
          for (const { email } of some) heardAt.set(email, by);
        }
        sink.modes.delayMs = 20;
        const { counts } = await settled(user, id);
        expect(sink.attempts.filter(({ address }, n) => n >= (heardAt.get(address) ?? Infinity))).toEqual([]);
        const mailedTo = new Set(mailed(name).map(({ address }) => address));
        expect(counts.skipped).toBe(leavers.filter(({ email }) => !mailedTo.has(email)).length);
        expect(counts.skipped).toBeGreaterThan(0);
        expect(counts.sent! + counts.skipped!).toBe(count);
      } finally {
        for (const burner of burners) burner.kill('SIGKILL');
      }
    },
    LEAVERS ? 600_000 : 120_000,
  );

  it('is not mailed where the worker lost its notification connection', async () => {
    const { user, id, contacts } = await slowSend('unheard-', 500, 120);
    const [cut] = await rows<{ ended: number }>(
      app.em(),
      `select (count(*) filter (where pg_terminate_backend(pid)))::int as ended from pg_stat_activity where datname = current_database() and query ilike 'listen %' or datname = current_database() and query = 'select 1' and pid <> pg_backend_pid()`,
    );
    expect(cut!.ended).toBeGreaterThan(0);
    const answeredAt = new Map<string, number>();
    await Promise.all(
      contacts.slice(40).map(async ({ email, token }) => {
        await app.http().post(`/unsubscribe/${token}`).send('List-Unsubscribe=One-Click').expect(200);
        answeredAt.set(email, sink.attempts.length);
      }),
    );
    const { counts } = await settled(user, id);
    // Messages that were on the connections before consent was checked again.
    const late = sink.attempts.filter(({ address }, n) => n >= (answeredAt.get(address) ?? Infinity));
    expect(late.length).toBeLessThanOrEqual(3 * CONNECTIONS);
    expect(counts.sent! + counts.skipped!).toBe(120);
  });
});

describe('a prepared message', () => {
  it.each([
    ['the send is cancelled', ({ user, id }: Slow) => user.agent.post(`/api/email-history/${id}/cancel`).expect(200)],
    ['the send is paused', ({ user, id }: Slow) => user.agent.post(`/api/email-history/${id}/pause`).expect(200)],
    [
      'the sender is suspended',
      ({ user }: Slow) => rows(app.em(), `update users set suspended_at = now() where id = ?`, [user.id]),
    ],
    [
      'the contacts are removed',
      ({ list }: Slow) => rows(app.em(), `delete from subscriptions where email_list_id = ?`, [list.id]),
    ],
    [
      'the contacts are set back to pending',
      ({ list }: Slow) =>
        rows(app.em(), `update subscriptions set confirmed = false, confirmed_at = null where email_list_id = ?`, [
          list.id,
        ]),
    ],
  ])('is not sent once %s', async (what, act) => {
    const name = `${what.replaceAll(' ', '-')}-`;
    const slow = await slowSend(name, 300, 300);
    await act(slow);
    await heard();
    const before = mailed(name).length;
    // eslint-disable-next-line staffcast/no-bare-wait -- nothing may follow; the connections would have taken their next message by then
    await pause(1_500);
    expect(mailed(name)).toHaveLength(before);
    sink.modes.delayMs = 0;
    await app.http().get('/api/health/live');
    await rows(
      app.em(),
      `update email_history set cancelled_at = coalesce(cancelled_at, now()), paused_at = null where id = ? and status = 'pending'`,
      [slow.id],
    );
  });
});

type Slow = Awaited<ReturnType<typeof slowSend>>;
