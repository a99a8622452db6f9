import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { SignedUp } from '../../kit/users.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, send, startSending } from '../sending/support.js';

const openapi = JSON.parse(readFileSync(new URL('../../../../openapi/openapi.json', import.meta.url), 'utf8')) as OpenAPIObject;
/** What takes a limit and is no collection: a file, and the names a filter offers. */
const OTHERS = ['/api/email-history/{id}/deliveries.csv', '/api/admin/lists'];
/** Every call that answers a page of an array. */
const COLLECTIONS = Object.entries(openapi.paths).flatMap(([path, item]) =>
  (item.get?.parameters ?? []).some((one) => 'name' in one && one.name === 'limit') && !OTHERS.includes(path) ? [path] : []);

let app: TestApp;
let admin: SignedUp;
let ids: Record<string, string>;
beforeAll(async () => {
  app = await startSending();
  admin = await app.user({ admin: true, set: { tier: 'pro' } });
  const list = await seedList(app, admin, { count: 5 });
  ids = { '/api/email-lists': list.id, '/api/email-history': await send(admin, list) };
});
afterAll(() => app.close());

describe('collections (decisions.md D31)', () => {
  it('are all here', () => expect(COLLECTIONS.length).toBeGreaterThan(12));

  it.each(COLLECTIONS)('%s tells its size, in pages and whole', async (template) => {
    const path = template.replace(/^(.*?)\/\{id\}/, (_all, parent: string) => `${parent}/${ids[parent]}`);
    const whole = await admin.agent.get(path).expect(200);
    expect(whole.headers['x-total-count']).toBe(String(whole.body.length));
    const page = await admin.agent.get(`${path}?limit=1`).expect(200);
    expect(page.headers['x-total-count']).toBe(String(whole.body.length));
    expect(page.body).toHaveLength(Math.min(1, whole.body.length));
    expect(/rel="next"/.test(page.headers['link'] ?? '')).toBe(whole.body.length > 1);
  });
});
