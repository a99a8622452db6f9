import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../kit/app.js';
import { FakeClamd } from '../../kit/clamd.js';
import { pdf } from '../../kit/uploads.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList } from '../sending/support.js';
import { makeDue, over, read, schedule, startScheduling } from './support.js';

const clamd = new FakeClamd();
let app: TestApp;
let user: SignedUp;
let people: SeededList;

beforeAll(async () => {
  app = await startScheduling({ env: { CLAMD_URL: await clamd.listen() } });
  user = await app.user({ set: { tier: 'pro' } });
  people = await seedList(app, user, { count: 2 });
});
afterAll(() => closeAll(app, clamd));

const set = (fileId: string, scan: string) =>
  rows(app.em(), `update files set scan = ? where id = ? returning id`, [scan, fileId]);

/** Schedules an email with a file that is then to be checked once more. */
async function withFile(): Promise<{ id: string; fileId: string }> {
  const { body: file } = await user.agent
    .post('/api/files')
    .set('Sec-Fetch-Site', 'same-origin')
    .field('kind', 'document')
    .attach('file', pdf(randomUUID()), 'Resume.pdf')
    .expect(201);
  const fileId = file.id as string;
  await until(async () => (await user.agent.get(`/api/files/${fileId}`).expect(200)).body.state === 'ready');
  const { id } = await schedule(user, people, {}, { subject: `File ${randomUUID()}`, files: [{ fileId, as: 'link' }] });
  await set(fileId, 'pending');
  return { id, fileId };
}
const waiting = (id: string) =>
  until('it waits for its file', async () => {
    const found = await read(user, id);
    return found.reason ? found : undefined;
  });
const WAITS = { reason: 'file_not_ready', reasonText: 'Resume.pdf is still being checked. Try again in a minute' };

describe('a scheduled email that is due while its file is checked', () => {
  it('waits and says why, lets later ones pass, and leaves once the file is ready', async () => {
    const { id, fileId } = await withFile();
    const later = await schedule(user, people);
    await makeDue(app, [id], 2);
    await makeDue(app, [later.id], 1);
    expect((await over(user, later.id)).state).toBe('sent');
    expect(await waiting(id)).toMatchObject({ state: 'leaving', ...WAITS });
    await set(fileId, 'clean');
    expect(await over(user, id)).toMatchObject({ state: 'sent', reason: null, reasonText: null });
  });

  it('needs attention with that reason where it is too late, and can be sent then', async () => {
    const { id, fileId } = await withFile();
    await makeDue(app, [id]);
    await waiting(id);
    await makeDue(app, [id], 61 * 60);
    expect(await over(user, id)).toMatchObject({ state: 'blocked', ...WAITS, historyId: null });
    await set(fileId, 'clean');
    await user.agent.post(`/api/scheduled-sends/${id}/send-now`).expect(202);
  });

  it('needs attention at once where a virus is found in it', async () => {
    const { id, fileId } = await withFile();
    await makeDue(app, [id]);
    await waiting(id);
    await set(fileId, 'infected');
    expect(await over(user, id)).toMatchObject({ state: 'blocked', reason: 'file_infected' });
  });
});
