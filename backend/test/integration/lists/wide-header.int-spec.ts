import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { FirstLineWidth } from '../../../src/modules/lists/imports/upload/first-line-width.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

describe('a header row of 300,000 columns', () => {
  const wide = (cell: (n: number) => string) =>
    `${Array.from({ length: 300_000 }, (_, n) => cell(n)).join(',')}\nv@x.example,Vendor\n`;
  const csv = wide((n) => `c${n}`);
  /** Bytes, as UTF-16, of the longest line that is read, and of the pieces in which an upload arrives. */
  const MOST_READ = 256 * 1024;

  it.each([
    ['as a body', csv],
    ['as a form', null],
    ['behind blank lines', `\r\n \n\n${csv}`],
    ['quoted', wide((n) => `"c${n}"`)],
    ['in UTF-16', Buffer.from(`\uFEFF${csv}`, 'utf16le')],
  ])('is refused after reading its beginning, with a message that says what to do (%s)', async (_how, body) => {
    const { agent } = await app.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'Imported' }).expect(201)).body.id as string;
    const upload = agent.post(`/api/email-lists/${list}/subscribers/import`);
    const take = jest.spyOn(FirstLineWidth.prototype, 'take');
    const answer = await (
      body
        ? upload.set('Content-Type', 'text/csv').send(body)
        : upload.set('Origin', app.settings.appUrl).attach('file', Buffer.from(csv), 'wide.csv')
    ).expect(400);
    expect(answer.body.message).toContain('more than 1,000 columns');
    expect(await rows(app.em(), 'select id from contact_imports where email_list_id = ?', [list])).toEqual([]);
    const read = take.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0);
    take.mockRestore();
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(MOST_READ);
  });
});
