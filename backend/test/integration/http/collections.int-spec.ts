import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { SignedUp } from '../../kit/users.js';
import type { TestApp } from '../../kit/app.js';
import { Importer } from '../imports/support.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';

const openapi = JSON.parse(
  readFileSync(new URL('../../../../openapi/openapi.json', import.meta.url), 'utf8'),
) as OpenAPIObject;
/** Calls with a `limit` that do not return a collection: files, and suggestions for a filter. */
const OTHERS = ['/api/email-history/{id}/deliveries.csv', '/api/email-history/{id}/left-out.csv', '/api/admin/lists'];
/** Every call that returns a page of an array. */
const COLLECTIONS = Object.entries(openapi.paths).flatMap(([path, item]) =>
  (item.get?.parameters ?? []).some((one) => 'name' in one && one.name === 'limit') && !OTHERS.includes(path)
    ? [path]
    : [],
);

let app: TestApp;
let admin: SignedUp;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await startSending();
  admin = await app.user({ admin: true, set: { tier: 'pro' } });
  const list = await seedList(app, admin, { count: 5 });
  const importer = new Importer(app, admin);
  const checked = await importer.paste('a@x.example\nb@x.example\nnonsense');
  await importer.checked(checked);
  const sent = await send(admin, list);
  await settled(admin, sent);
  // Waits for the last rows that the send causes, so that nothing changes between the two requests of a test.
  await until(async () => (await admin.agent.get('/api/admin/senders').expect(200)).body.length === 1);
  ids = {
    '/api/email-lists': list.id,
    '/api/email-history': sent,
    '/api/imports': checked,
  };
});
afterAll(() => app.close());

const pathOf = (template: string): string =>
  template.replace(/^(.*?)\/\{id\}/, (_all, parent: string) => `${parent}/${ids[parent]}`);

describe('collections', () => {
  it('are all covered by this test', () => expect(COLLECTIONS.length).toBeGreaterThan(12));

  it.each(COLLECTIONS)('%s reports its total, paged and streamed', async (template) => {
    const path = pathOf(template);
    const whole = await admin.agent.get(path).expect(200);
    expect(whole.headers['x-total-count']).toBe(String(whole.body.length));
    const page = await admin.agent.get(`${path}?limit=1`).expect(200);
    expect(page.headers['x-total-count']).toBe(String(whole.body.length));
    expect(page.body).toHaveLength(Math.min(1, whole.body.length));
    expect(/rel="next"/.test(page.headers['link'] ?? '')).toBe(whole.body.length > 1);
  });

  it.each([...COLLECTIONS, ...OTHERS.filter((path) => path.endsWith('.csv'))])(
    '%s refuses a cursor that it did not give out',
    async (template) => {
      // One of them asks for a part of the log that has no rows.
      for (const query of [
        'limit=1&cursor=odd',
        'cursor=odd',
        ...(/deliveries/.test(template) ? ['limit=1&status=bounced&cursor=odd'] : []),
      ]) {
        const { status, body } = await admin.agent.get(`${pathOf(template)}?${query}`);
        expect([query, status, body.details]).toEqual([query, 400, [expect.objectContaining({ field: 'cursor' })]]);
      }
    },
  );
});
