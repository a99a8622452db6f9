import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { SendFinalizer } from '../../../../src/modules/delivery/send-finalizer.service.js';
import { SendRetries } from '../../../../src/modules/delivery/expansion/send-retries.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import type { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, settled, startWithSink } from '../support.js';

// More deliveries than one batch of a cancel or retry covers.
const MANY = 2_300;

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  ({ app, sink } = await startWithSink());
});
afterAll(() => closeAll(app, sink));
afterEach(async () => {
  sink.modes = {};
  for (const em of held.splice(0)) await em.rollback();
});

const press = (user: SignedUp, id: string, what: 'pause' | 'cancel' | 'retry') =>
  user.agent.post(`/api/email-history/${id}/${what}`);
const entryOf = async (user: SignedUp, id: string) =>
  (await user.agent.get(`/api/email-history/${id}`).expect(200)).body;
const sql = <T extends object>(text: string, ...params: unknown[]): Promise<T[]> => rows<T>(app.em(), text, params);
/** A send that has sent no message. */
async function waitingSend(user: SignedUp, name: string, count = MANY): Promise<string> {
  sink.modes = { refuseSender: true };
  const id = await send(
    user,
    await seedList(app, user, { addresses: Array.from({ length: count }, (_, i) => `${name}${i}@x.test`) }),
  );
  await press(user, id, 'pause').expect(200);
  return id;
}

/** A send that has ended and whose messages all failed temporarily. */
async function failedSend(user: SignedUp, name: string): Promise<string> {
  const id = await waitingSend(user, name);
  await sql(
    `update email_delivery_logs set status = 'failed', next_attempt_at = null, metadata = '{"class": "transient"}' where history_id = ?`,
    id,
  );
  await until(async () => (await entryOf(user, id)).status === 'failed');
  sink.modes = {};
  return id;
}

/** Open transactions of the test. */
const held: EntityManager[] = [];
/** Takes locks in a transaction that stays open. @returns a function that releases them */
async function holding(take: (em: EntityManager) => Promise<unknown>): Promise<() => Promise<void>> {
  const em = app.em();
  await em.begin();
  held.push(em);
  await take(em);
  return () => held.splice(held.indexOf(em), 1)[0]!.commit();
}

describe('cancelling a large send', () => {
  it('takes effect at once while another call skips its rows, which one call at a time does', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await waitingSend(user, 'turn');
    const letGo = await holding((em) =>
      rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`sending.cancelled:${id}`]),
    );
    expect((await press(user, id, 'cancel').expect(200)).body).toMatchObject({
      status: 'pending',
      stopped: 'cancelled',
      counts: { skipped: 0, queued: MANY },
    });
    sink.modes = {};
    await letGo();
    expect(await settled(user, id)).toMatchObject({
      status: 'failed',
      stopped: 'cancelled',
      counts: { skipped: MANY, sent: 0 },
    });
  });

  it('uses an index to find that nothing is open, also with outdated statistics', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await waitingSend(user, 'plan');
    await sql('alter table email_delivery_logs set (autovacuum_enabled = false)');
    await sql('analyze email_delivery_logs');
    await press(user, id, 'cancel').expect(200);
    await settled(user, id);
    const scans = await app.em().transactional(async (em) => {
      const sofar = async () =>
        (
          await rows<{ n: number }>(
            em,
            `select seq_scan::int as n from pg_stat_xact_user_tables where relname = 'email_delivery_logs'`,
          )
        )[0]!.n;
      const before = await sofar();
      await app.get(SendFinalizer).recount(em, id);
      return (await sofar()) - before;
    });
    await sql('alter table email_delivery_logs reset (autovacuum_enabled)');
    expect(scans).toBe(0);
  });
});

describe('retrying failed recipients of a large send', () => {
  const tries = async (id: string) =>
    (
      await sql<{ n: number; c: number }>(
        `select coalesce((metadata->>'retries')::int, 0) as n, count(*)::int as c from email_delivery_logs where history_id = ? group by 1 order by 1`,
        id,
      )
    ).map(({ n, c }) => [n, c]);
  const isOpen = async (id: string) => (await sql(`select 1 from send_retries where history_id = ?`, id)).length > 0;

  it('requeues each recipient once, with concurrent calls and workers', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'once');
    const beside = app.get(SendRetries);
    const [answers] = await Promise.all([
      Promise.all([1, 2, 3].map(() => press(user, id, 'retry').expect(200))),
      (async () => {
        for (let i = 0; i < 10; i++) await beside.requeueNext(id);
      })(),
    ]);
    expect(answers.map(({ body }) => body.retried as number).sort()).toEqual([0, 0, MANY]);
    expect(await settled(user, id)).toMatchObject({ status: 'sent', retryable: 0, counts: { sent: MANY, failed: 0 } });
    expect(await tries(id)).toEqual([[1, MANY]]);
    expect(sink.extraCopies).toBe(0);
  });

  it('answers a concurrent call with zero remaining recipients', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'second');
    const letGo = await holding(async (em) => {
      await rows(em, `select 1 from email_history where id = ? for update`, [id]);
      await rows(em, `update email_delivery_logs set status = 'skipped' where history_id = ?`, [id]);
    });
    const pressed = press(user, id, 'retry').then(({ body }) => body as { retried: number });
    await until(
      async () =>
        (
          await sql(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from email_history%for update%'`,
          )
        ).length > 0,
    );
    await letGo();
    expect(await pressed).toEqual({ retried: 0 });
    expect(await entryOf(user, id)).toMatchObject({ status: 'failed', retryable: 0 });
  });

  it('continues after a killed worker, and does not requeue recipients that failed again', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'killed');
    await sql(
      `insert into suppressions (scope, owner_id, address_hash, reason) select 'owner', ?, email_hash, 'unsubscribed' from subscriptions where email_norm = 'killed999@x.test'`,
      user.id,
    );
    const [left] = await sql<{ position: number }>(
      `select position from email_delivery_logs where history_id = ? and recipient_email = 'killed999@x.test'`,
      id,
    );
    const from = Math.min(1_000, left!.position - 1);
    await app.em().transactional(async (em) => {
      await rows(em, `insert into send_retries (history_id, last_position) values (?, ?)`, [id, from]);
      await rows(em, `update email_history set status = 'pending', settled_at = null where id = ?`, [id]);
    });
    expect(await settled(user, id)).toMatchObject({
      status: 'sent',
      counts: { sent: MANY - from - 1, failed: from + 1 },
    });
    expect(await tries(id)).toEqual([
      [0, from + 1],
      [1, MANY - from - 1],
    ]);
    expect(await isOpen(id)).toBe(false);
  });

  it('neither ends the send nor offers another retry before all rows were checked', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'open');
    await sql(`insert into send_retries (history_id) values (?)`, id);
    const letGo = await holding((em) => rows(em, `select 1 from send_retries where history_id = ? for update`, [id]));
    await sql(`update email_history set status = 'pending', settled_at = null where id = ?`, id);
    await app.get(SendFinalizer).finalize(id);
    expect(await entryOf(user, id)).toMatchObject({ status: 'pending', retryable: 0 });
    expect((await press(user, id, 'retry').expect(200)).body.retried).toBe(0);
    await letGo();
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: MANY } });
  });

  it('stops when the send is cancelled: the running chunk is completed, none follows', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'stopped');
    await sql(`insert into send_retries (history_id, last_position) values (?, ?)`, id, MANY - 5);
    const letGo = await holding((em) => rows(em, `select 1 from send_retries where history_id = ? for update`, [id]));
    await sql(`update email_history set status = 'pending', settled_at = null where id = ?`, id);
    const pressed = press(user, id, 'cancel').then(({ body }) => body as { stopped: string });
    await until(
      async () =>
        (
          await sql(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from send_retries%'`,
          )
        ).length > 0,
    );
    await letGo();
    expect((await pressed).stopped).toBe('cancelled');
    expect(await settled(user, id)).toMatchObject({ status: 'failed', stopped: 'cancelled', counts: { failed: MANY } });
    expect(await isOpen(id)).toBe(false);
  });

  it('requeues no recipient of a cancelled send after a crash', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const id = await failedSend(user, 'crashed');
    await app.em().transactional(async (em) => {
      await rows(em, `insert into send_retries (history_id) values (?)`, [id]);
      await rows(
        em,
        `update email_history set status = 'pending', settled_at = null, cancelled_at = now() where id = ?`,
        [id],
      );
    });
    expect(await settled(user, id)).toMatchObject({ status: 'failed', stopped: 'cancelled', counts: { failed: MANY } });
    expect(await isOpen(id)).toBe(false);
  });
});
