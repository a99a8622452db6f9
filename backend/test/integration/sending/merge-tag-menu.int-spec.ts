import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COUNT_MS } from '../../../src/modules/lists/contacts/contact-fields.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList, seedTaggedPeople, startSending } from './support.js';

let app: TestApp;
let ann: SignedUp;
let list: SeededList;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

beforeAll(async () => {
  app = await startSending();
  ann = await app.user({ set: { tier: 'pro', agency_name: 'Acme' } });
  list = await seedTaggedPeople(app, ann);
});
afterAll(() => app.close());

describe('the merge tag menu', () => {
  it('lists the tags for the chosen lists, with counts on request', async () => {
    const menu = (await ann.agent.get(`/api/merge-tags?emailListIds=${list.id}&counts=true`).expect(200)).body as {
      tag: string;
    }[];
    const of = (tag: string) => menu.find((one) => one.tag === tag);
    expect(of('first_name')).toMatchObject({
      label: 'First name',
      group: 'Contact',
      perContact: true,
      filled: 2,
      total: 3,
    });
    expect(of('company')).toMatchObject({ filled: 1, total: 3 });
    expect(of('field.visa')).toMatchObject({ label: 'Visa', group: 'Custom fields', example: 'H1B', filled: 1 });
    expect(of('sender_name')).toMatchObject({ group: 'You', example: 'Ann Kumar', perContact: false });
    expect(of('list_name')).toMatchObject({ group: 'List', example: 'Java people' });
    expect(of('sender_name')).not.toHaveProperty('filled');
    const bare = (await ann.agent.get('/api/merge-tags').expect(200)).body as { tag: string }[];
    expect(bare.map(({ tag }) => tag)).not.toContain('field.visa');
  });

  it('comes without counts where there are too many contacts to count them soon', async () => {
    const productLimit = COUNT_MS.most;
    COUNT_MS.most = 200;
    try {
      await app.em().transactional(async (em) => {
        await em.execute('lock table subscriptions in access exclusive mode');
        const path = `/api/merge-tags?emailListIds=${list.id}&counts=true`;
        const menu = (await ann.agent.get(path).expect(200)).body as { tag: string; label: string }[];
        expect(menu.find(({ tag }) => tag === 'first_name')).toMatchObject({ label: 'First name' });
        for (const tag of menu) expect([tag.tag, 'filled' in tag, 'total' in tag]).toEqual([tag.tag, false, false]);
      });
    } finally {
      COUNT_MS.most = productLimit;
    }
  });

  it('counts more columns than one database statement can take', async () => {
    const wide = await seedList(app, ann, { addresses: ['w1@tags.test'] });
    await query(`insert into contact_fields select ?::uuid, 'Wide ' || n from generate_series(1, 2000) n`, [wide.id]);
    await query(`update subscriptions set attributes = '{"Wide 1999": "x"}' where email_list_id = ?`, [wide.id]);
    const path = `/api/merge-tags?emailListIds=${wide.id}&counts=true`;
    const menu = (await ann.agent.get(path).expect(200)).body as { tag: string; filled: number }[];
    expect(menu.find(({ tag }) => tag === 'field.wide_1999')).toMatchObject({ filled: 1 });
    expect(menu.find(({ tag }) => tag === 'field.wide_7')).toMatchObject({ filled: 0 });
  });
});
