import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RecipientPersonalData } from '../../../src/modules/delivery/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { parseAddress } from '../../../src/shared/mail/address.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import type { TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, sendBody, settled, startSending } from './support.js';

const ANNS = Array.from({ length: 9 }, (_, i) => `Ann${i}@Gmail.test`);
const BOBS = Array.from({ length: 9 }, (_, i) => `bob${i}@firm-${i}.test`);
const REFUSED = 'ann-gone@gmail.test';

let app: TestApp;
let user: SignedUp;
let id: string;
beforeAll(async () => {
  // Sends of more than ten recipients count as large here, expanded in chunks of four.
  app = await startSending({ layOutAtOnce: 10, firstChunk: 3, chunk: 4 });
  user = await app.user({ set: { tier: 'pro' } });
  const list = await seedList(app, user, { addresses: [...ANNS, ...BOBS, REFUSED] });
  const network = await seedList(app, null, { addresses: ['ann-of-the-network@gmail.test'] });
  await rows(
    app.em(),
    `update email_lists l set (contact_count, confirmed_count) = (select count(*), count(*) from subscriptions where email_list_id = l.id)`,
  );
  app.mails.answer = (address) => (address === REFUSED ? { code: 550, message: '5.1.1 no such user' } : undefined);
  id = (
    await user.agent
      .post('/api/send-email')
      .send(sendBody([list, network]))
      .expect(202)
  ).body.id as string;
  await settled(user, id);
});
afterAll(() => app.close());

async function found(query = ''): Promise<{ total: number; addresses: string[] }> {
  const { body, headers } = await user.agent.get(`/api/email-history/${id}/deliveries?${query}`).expect(200);
  return {
    total: Number(headers['x-total-count']),
    addresses: (body as { recipientEmail: string }[]).map(({ recipientEmail }) => recipientEmail),
  };
}

const blocks = () =>
  rows<{ count: number; addresses: string }>(
    app.em(),
    `select count, addresses from delivery_address_blocks where history_id = ? order by first_position`,
    [id],
  );
const exec = (sql: string, ...params: unknown[]) => rows(app.em(), sql, params);

describe('the search in a large send', () => {
  const searches: [string, string[]][] = [
    ['search=gmail', [REFUSED, ...ANNS]],
    ['search=GMAIL&status=sent', ANNS],
    ['search=gmail&status=failed', [REFUSED]],
    ['search=firm-7', ['bob7@firm-7.test']],
    ['search=network', []],
    ['search=ann%0Aann', []],
    ['search=%25', []],
    ['search=ann1%40&limit=1', ['Ann1@Gmail.test']],
  ];

  it('finds the same rows through address blocks as through the delivery rows', async () => {
    expect((await blocks()).reduce((sum, { count }) => sum + count, 0)).toBe(20);
    expect((await blocks()).map(({ addresses }) => addresses).join('\n')).not.toContain('network');
    for (const [query, addresses] of searches)
      expect([query, await found(query)]).toEqual([query, { total: addresses.length, addresses }]);
    await exec(
      `update delivery_address_blocks set addresses = replace(addresses, 'firm-7', 'firm-x') where history_id = ?`,
      id,
    );
    expect((await found('search=firm-7')).total).toBe(0);
    // Part of the send has no blocks yet, so the rows are searched.
    await exec(`update delivery_address_blocks set count = count + 1 where history_id = ?`, id);
    for (const [query, addresses] of searches)
      expect([query, await found(query)]).toEqual([query, { total: addresses.length, addresses }]);
    await exec(
      `update delivery_address_blocks set count = count - 1, addresses = replace(addresses, 'firm-x', 'firm-7') where history_id = ?`,
      id,
    );
  });

  it('pages through its results', async () => {
    const seen: string[] = [];
    for (let query = 'search=gmail&limit=4'; query !== '';) {
      const { body, headers } = await user.agent.get(`/api/email-history/${id}/deliveries?${query}`).expect(200);
      expect(headers['x-total-count']).toBe('10');
      seen.push(...(body as { recipientEmail: string }[]).map(({ recipientEmail }) => recipientEmail));
      query = /<[^?]*\?([^>]*)>; rel="next"/.exec(String(headers['link'] ?? ''))?.[1] ?? '';
    }
    expect(seen).toEqual([REFUSED, ...ANNS]);
    const { text } = await user.agent.get(`/api/email-history/${id}/deliveries.csv?search=gmail`).expect(200);
    expect(text.trim().split('\n')).toHaveLength(11);
  });

  it('finds erased people no longer, and all others still', async () => {
    const norm = 'ann3@gmail.test';
    const before = (await blocks()).map(({ addresses }) => addresses);
    await new RecipientPersonalData().erase(app.em(), parseAddress(norm)!);
    expect((await blocks()).map(({ addresses }) => addresses)).toEqual(
      before.map((text) => text.replace(norm, 'erased')),
    );
    expect((await found('search=gmail')).addresses).toEqual([
      REFUSED,
      ...ANNS.filter((address) => address !== 'Ann3@Gmail.test'),
    ]);
  });
});

describe('X-Total-Count of the delivery log', () => {
  it('counts expanded rows only', async () => {
    expect((await found()).total).toBe(20);
    await exec(`insert into send_layouts (history_id, list_ids, laid_out) values (?, '[]', 7)`, id);
    expect((await found('limit=1')).total).toBe(7);
    await exec(`delete from send_layouts where history_id = ?`, id);
    await exec(
      `update email_delivery_logs set status = case when position <= 3 then 'deferred' else 'queued' end where history_id = ? and position between 2 and 6`,
      id,
    );
    expect([
      (await found('status=queued')).total,
      (await found('status=deferred')).total,
      (await found('status=sending')).total,
    ]).toEqual([3, 2, 0]);
    await exec(
      `update email_delivery_logs set status = 'sent' where history_id = ? and status in ('queued', 'deferred')`,
      id,
    );
  });

  it("counts the rows left after retention, whatever the send's tallies", async () => {
    await exec(`update email_history set sent_at = now() - interval '401 days' where id = ?`, id);
    await exec(
      `update email_delivery_logs set created_at = now() - interval '401 days' where history_id = ? and position > 6`,
      id,
    );
    await exec(`update delivery_address_blocks set created_at = now() - interval '401 days' where history_id = ?`, id);
    await app.get(Retention).purge();
    for (const query of [
      'limit=2',
      'status=sent&limit=2',
      'search=ann&limit=2',
      'status=failed&limit=2',
      'status=bounced&limit=2',
    ]) {
      const whole = await found(query.replace('limit=2', ''));
      expect([query, (await found(query)).total]).toEqual([query, whole.addresses.length]);
    }
    expect((await found()).total).toBe(6);
    expect((await user.agent.get(`/api/email-history/${id}`)).body.counts).toMatchObject({ failed: 1 });
  });
});

describe('the number of retryable recipients', () => {
  const failed = (count: number) =>
    exec(
      `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status, metadata)
     select h.user_id, h.id, 100 + i, gen_random_uuid(), gen_random_uuid(), 'p' || i || '@x.test', 's', 'failed', '{"class": "expired"}' from email_history h, generate_series(1, ?::int) i where h.id = ?`,
      count,
      id,
    );
  const retryable = async () => (await user.agent.get(`/api/email-history/${id}`).expect(200)).body.retryable as number;

  it('is exact, and read from an index for very large sends', async () => {
    await failed(2000);
    expect(await retryable()).toBe(0);
    await exec(`delete from email_delivery_logs where history_id = ? and position > 100`, id);
    await failed(2001);
    expect(await retryable()).toBe(2001);
  });
});
