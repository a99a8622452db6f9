import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SessionPurge } from '../../../src/modules/auth/sessions/session-purge.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const count = async (from: string, params: unknown[] = []) =>
  Number((await sql<{ n: string }>(`select count(*) as n from ${from}`, params))[0]!.n);

describe('expired data', () => {
  it('is deleted: devices, referral visits, reset links and old audit entries; valid data stays', async () => {
    const [gone, here] = [await app.user(), await app.user()];
    for (const { email } of [gone, here])
      await app.http().post('/api/auth/forgot-password').send({ email }).expect(200);
    const resets = (id: string) => count('auth_credentials where user_id = ? and reset_token is not null', [id]);
    await until(async () => (await resets(gone.id)) + (await resets(here.id)) === 2);
    await sql(
      `insert into sessions (sid, sess, expire) values ('old', '{}', now() - interval '1 second'), ('young', '{}', now() + interval '1 hour')`,
    );
    await sql(`update auth_sessions set expires_at = now() - interval '1 second' where user_id = ?`, [gone.id]);
    await sql(`update auth_credentials set reset_token_expires = now() - interval '1 second' where user_id = ?`, [
      gone.id,
    ]);
    await sql(`update audit_events set at = now() - interval '366 days' where user_id = ?`, [gone.id]);
    await app.get(SessionPurge).run();
    const left = async (id: string) => [
      await count('auth_sessions where user_id = ?', [id]),
      await resets(id),
      (await count('audit_events where user_id = ?', [id])) > 0,
    ];
    expect(await left(gone.id)).toEqual([0, 0, false]);
    expect(await left(here.id)).toEqual([1, 1, true]);
    expect(await sql(`select sid from sessions where sid in ('old', 'young')`)).toEqual([{ sid: 'young' }]);
    await here.agent.get('/api/auth/user').expect(200);
    await gone.agent.get('/api/auth/user').expect(401);
  });
});
