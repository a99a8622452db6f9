import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DueSends } from '../../../src/modules/schedules/due/due-sends.service.js';
import { ScheduleTuning } from '../../../src/modules/schedules/due/schedule-clock.js';
import { PlannedSends } from '../../../src/modules/sending/index.js';
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

/** Schedules an email with a file that is then to be scanned again. */
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

  it.each([
    ['what refuses it then', 'infected', { reason: 'file_infected' }],
    ['the time that was missed where nothing refuses it', 'clean', { reason: 'missed' }],
  ])('names %s where it is too late', async (_what, scan, told) => {
    const tuning = app.get(ScheduleTuning);
    const { id, fileId } = await withFile();
    const retryMs = tuning.fileRetryMs;
    try {
      tuning.fileRetryMs = 3_600_000;
      await makeDue(app, [id]);
      await waiting(id);
      await set(fileId, scan);
      await makeDue(app, [id], 61 * 60);
    } finally {
      tuning.fileRetryMs = retryMs;
    }
    expect(await over(user, id)).toMatchObject({ state: 'blocked', ...told, historyId: null });
  });

  it('is tried after those of other accounts, and not again at once', async () => {
    const tuning = app.get(ScheduleTuning);
    const due = app.get(DueSends);
    const retryMs = tuning.fileRetryMs;
    const other = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, other, { count: 1 });
    const [{ id, fileId }, next] = [await withFile(), await schedule(other, list)];
    await makeDue(app, [id], 9);
    await waiting(id);
    const leave = jest.spyOn(due, 'leaveAll').mockResolvedValue();
    try {
      await makeDue(app, [next.id], 1);
      tuning.fileRetryMs = 0;
      expect(await due.dueUsers(9)).toEqual([other.id, user.id]);
      expect(await due.dueUsers(1)).toEqual([other.id]);
      leave.mockRestore();
      await over(other, next.id);
      const prepare = jest.spyOn(app.get(PlannedSends), 'prepare');
      await due.leaveAll(user.id);
      await until('it was tried', () => Promise.resolve(prepare.mock.calls.length > 0));
      tuning.fileRetryMs = 3_600_000;
      await due.leaveAll(user.id);
      prepare.mockClear();
      expect(await due.dueUsers(9)).toEqual([]);
      await due.leaveAll(user.id);
      expect(prepare).not.toHaveBeenCalled();
      prepare.mockRestore();
    } finally {
      leave.mockRestore();
      tuning.fileRetryMs = retryMs;
    }
    await set(fileId, 'clean');
    expect((await over(user, id)).state).toBe('sent');
  });

  it('needs attention at once where a virus is found in it', async () => {
    const { id, fileId } = await withFile();
    await makeDue(app, [id]);
    await waiting(id);
    await set(fileId, 'infected');
    expect(await over(user, id)).toMatchObject({ state: 'blocked', reason: 'file_infected' });
  });
});
