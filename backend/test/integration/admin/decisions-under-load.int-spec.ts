import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { retryDeadlocks } from '../../../src/shared/database/queries/retry-deadlocks.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';

const LINES = 24_000;
const [SENDS, RECIPIENTS] = [20, 9_000];

let app: TestApp;
beforeAll(async () => {
  app = await startSending({ layOutAtOnce: 8_000, firstChunk: 500, chunk: 500 });
});
afterAll(() => app.close());

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const people = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@x${i % 20}.example`);

async function startImport(user: SignedUp, text: string, attestation?: string): Promise<string> {
  const list = (await user.agent.post('/api/email-lists').send({ name: 'Imported' }).expect(201)).body.id as string;
  const upload = user.agent.post(`/api/email-lists/${list}/subscribers/import`).set('Content-Type', 'text/csv');
  return (await (attestation ? upload.set('X-Import-Attestation', attestation) : upload).send(text).expect(202)).body
    .id as string;
}

const statusOf = async (id: string): Promise<string> =>
  (await query<{ status: string }>(`select status from contact_imports where id = ?`, [id]))[0]!.status;

it("an admin's decisions do not wait for large imports and expansions of other accounts", async () => {
  const [admin, agreed, declined, importer, sender] = [
    await app.user({ admin: true }),
    ...(await Promise.all(Array.from({ length: 4 }, () => app.user({ set: { tier: 'pro' } })))),
  ] as [SignedUp, SignedUp, SignedUp, SignedUp, SignedUp];
  const toConfirm = await startImport(agreed, people('yes', 100).join('\n'), 'Clients since 2024');
  const toDecline = await startImport(declined, people('no', 100).join('\n'), 'Clients since 2024');
  for (const id of [toConfirm, toDecline]) await until(async () => (await statusOf(id)) === 'done');
  await app.get(JobQueue).queue('deliveries').pause(true, true);
  try {
    const files: string[] = [];
    for (const name of ['a', 'b']) files.push(await startImport(importer, people(name, LINES).join('\n')));
    const list = await seedList(app, sender, { addresses: people('to', RECIPIENTS) });
    for (let i = 0; i < SENDS; i++) await send(sender, list, { subject: `Job ${i}` });

    const carriedOut = async (id: string): Promise<void> => {
      await until(
        async () =>
          (await query(`select 1 from contact_imports where id = ? and carried_out_at is not null`, [id])).length > 0,
      );
    };
    await admin.agent.post(`/api/admin/imports/${toConfirm}/confirm`).send({}).expect(200);
    await carriedOut(toConfirm);
    await admin.agent.post(`/api/admin/imports/${toDecline}/decline`).send({}).expect(200);
    await carriedOut(toDecline);
    await admin.agent.patch(`/api/admin/users/${declined.id}`).send({ suspended: true, reason: 'Spam' }).expect(200);
    await admin.agent.patch(`/api/admin/users/${declined.id}`).send({ suspended: false }).expect(200);
    const statuses = await Promise.all(files.map(statusOf));
    const stillLaidOut = (await query('select 1 from send_layouts')).length;
    expect(statuses).not.toContain('done');
    expect(stillLaidOut).toBeGreaterThan(SENDS / 2);
    expect(await query(`select 1 from subscriptions where import_id = ? and not confirmed`, [toConfirm])).toEqual([]);
    expect(
      await query(`select 1 from subscriptions where import_id = ? and opt_in_state = 'held'`, [toDecline]),
    ).toEqual([]);
    // Ends all remaining work. Workers may be writing the same rows, so deadlocks are retried.
    for (const ending of [
      `update email_history set cancelled_at = now() where status = 'pending'`,
      `delete from send_layouts`,
      `delete from contact_imports where status <> 'done'`,
    ])
      await retryDeadlocks(() => query(ending));
  } finally {
    await app.get(JobQueue).queue('deliveries').resume(true);
  }
});
