import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending } from './support.js';
import { until } from '../../kit/until.js';

/** Number of unsubscribes per send; `LEAVERS=1000` for the full measurement. */
const LEAVERS = Number(process.env.LEAVERS ?? 0);
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

/** A worker with large batches, as after a fast server, when the server becomes slow. */
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

/** Delays in ms between the answer to an unsubscribe and a later mail, longest first. */
function mailedAfter(answers: ReadonlyMap<string, number>): number[] {
  return sink.attempts
    .flatMap(({ address, at }) =>
      answers.has(address) && at > answers.get(address)! ? [at - answers.get(address)!] : [],
    )
    .sort((a, b) => b - a);
}

describe('a person who unsubscribes during a send through a slow server', () => {
  it.each([
    ['idle', 300, 400],
    ['busy', 300, 400],
    ['idle', 1_000, 150],
    ['busy', 1_000, 150],
  ] as const)(
    'is not mailed after the answer, on a machine that is %s, at %i ms a message',
    async (machine, delayMs, quick) => {
      const count = LEAVERS ? Math.ceil((LEAVERS * 4) / 3) : quick;
      const burners = machine === 'busy' ? [1, 2].map(() => spawn(process.execPath, ['-e', 'for (;;);'])) : [];
      try {
        const name = `leave-${machine}-${delayMs}-`;
        const { user, id, contacts } = await slowSend(name, delayMs, count);
        const answers = new Map<string, number>();
        const leavers = contacts.filter((_contact, i) => i % 4 !== 0);
        for (let at = 0; at < leavers.length; at += 10) {
          await Promise.all(
            leavers.slice(at, at + 10).map(async ({ email, token }) => {
              await app.http().post(`/unsubscribe/${token}`).send('List-Unsubscribe=One-Click').expect(200);
              answers.set(email, Date.now());
            }),
          );
        }
        sink.modes.delayMs = 20;
        const { counts } = await settled(user, id);
        const late = mailedAfter(answers);
        process.stderr.write(
          `${name}: ${leavers.length} left, ${counts.skipped} were skipped, ${late.length} mailed after the answer, the latest by ${late[0] ?? 0} ms\n`,
        );
        expect(late.filter((ms) => ms > 1_000)).toEqual([]);
        expect(counts.skipped).toBeGreaterThan(leavers.length / (LEAVERS ? 5 : 2));
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
    const answers = new Map<string, number>();
    await Promise.all(
      contacts.slice(40).map(async ({ email, token }) => {
        await app.http().post(`/unsubscribe/${token}`).send('List-Unsubscribe=One-Click').expect(200);
        answers.set(email, Date.now());
      }),
    );
    const { counts } = await settled(user, id);
    expect(mailedAfter(answers).filter((ms) => ms > 1_600)).toEqual([]);
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
    const at = Date.now();
    await pause(1_500);
    const late = mailed(name)
      .filter((one) => one.at > at)
      .map((one) => one.at - at);
    process.stderr.write(`${name}: ${late.length} mailed after it, the latest by ${Math.max(0, ...late)} ms\n`);
    expect(late.filter((ms) => ms > 1_000)).toEqual([]);
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
