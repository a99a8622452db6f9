import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Forecasts } from '../../../src/modules/sending/check/forecasts.service.js';
import { HostLookup } from '../../../src/modules/sending/check/host-lookup.js';
import type { SendCheckDto } from '../../../src/modules/sending/check/check.dto.js';
import { AudienceEvaluation, DeliveryTuning } from '../../../src/modules/delivery/index.js';
import { ContactFields } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { prepareProfiles, seedList, type SeededList, send, sendBody, settled, startSending } from './support.js';

let app: TestApp;
let ann: SignedUp;
let list: SeededList;
/** Hosts that were looked up, in order. */
const lookedUp: string[] = [];

beforeAll(async () => {
  app = await startSending();
  app.get(HostLookup).of = (host) => {
    lookedUp.push(host);
    return Promise.resolve(host.startsWith('gone') ? 'no_name' : host.startsWith('slow') ? 'unknown' : 'found');
  };
});
afterAll(() => app.close());
beforeEach(async () => {
  app.mails.answer = () => undefined;
  ann = await app.user({ firstName: 'Ann', set: { tier: 'pro' } });
  list = await seedList(app, ann, { addresses: people(3) });
});

const people = (n: number) => Array.from({ length: n }, () => `p-${randomUUID().slice(0, 8)}@people.test`);
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const check = async (extra: Record<string, unknown> = {}, user = ann): Promise<SendCheckDto> => {
  const body = sendBody(list, extra);
  return (await user.agent.post('/api/send-email/check').send(body).expect(200)).body as SendCheckDto;
};
const item = (found: SendCheckDto, code: string) => found.items.find((one) => one.code === code);

describe('the check before a send', () => {
  it('counts whom it reaches, and says what is worth a look, errors first', async () => {
    const found = await check({ content: 'See http://jobs.acme.example/x [blank]', subject: 'RE: Java' });
    expect(found.forecast).toEqual({ total: 3, reaches: 3, reasons: [] });
    const levels = found.items.map(({ level }) => level);
    const order = ['error', 'warning', 'hint', 'passed'];
    expect(levels).toEqual(levels.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)));
    for (const code of ['link_http', 'blanks', 'subject_reply', 'sender_address'])
      expect([code, item(found, code)?.level]).toEqual([code, 'warning']);
    expect(item(found, 'tested')?.level).toBe('hint');
  });

  it('says what a send would be refused for', async () => {
    const found = await check({ emailListIds: [], subject: '', content: '' });
    expect(found.items.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual([
      'lists_missing',
      'subject_missing',
      'content_missing',
    ]);
    expect(found.forecast).toBeNull();
    const unknown = await check({ content: 'Hi {{no_such_tag}}' });
    expect(unknown.items[0]).toMatchObject({ level: 'error' });
    expect(unknown.items[0]!.text).toContain('no_such_tag');
    await query(`update subscriptions set confirmed = false where email_list_id = ?`, [list.id]);
    const other = await app.user({ set: { tier: 'pro' } });
    const empty = await seedList(app, other, { addresses: [] });
    const nobody = await check({ emailListIds: [empty.id] }, other);
    expect(item(nobody, 'nobody')).toMatchObject({ level: 'error' });
  });

  it('is none of other people: their lists are unknown', async () => {
    const bob = await app.user();
    await bob.agent.post('/api/send-email/check').send(sendBody(list)).expect(404);
    await ann.agent
      .post('/api/send-email/check')
      .send(sendBody(list, { emailListIds: 'x' }))
      .expect(400);
  });

  it('tells whom a tag without a fallback is empty for', async () => {
    await query(
      `update subscriptions set first_name = 'Priya' where id = (select id from subscriptions where email_list_id = ? limit 1)`,
      [list.id],
    );
    const found = await check({ content: 'Hi {{first_name}}, we need Java at $60/hr.' });
    expect(item(found, 'empty_tag')).toMatchObject({
      level: 'warning',
      text: 'First name is empty for 2 of 3 contacts and has no fallback.',
      where: { part: 'content', from: 3, to: 17 },
      fix: 'addFallback',
    });
    expect(item(await check({ content: 'Hi {{first_name|there}}' }), 'empty_tag')?.level).toBe('passed');
    expect(item(await check({ subject: 'Java for {{first_name}}' }), 'empty_tag')).toMatchObject({
      where: { part: 'subject', from: 9, to: 23 },
      fix: 'show',
    });
  });

  it('counts once for checks of one audience at the same time, and again after a failure', async () => {
    const forecasts = jest.spyOn(app.get(AudienceEvaluation), 'forecast');
    const counts = jest.spyOn(app.get(ContactFields), 'count');
    const asked = jest.spyOn(app.get(Forecasts), 'of');
    try {
      forecasts.mockImplementationOnce(() => Promise.reject(new Error('the database is away')));
      await ann.agent.post('/api/send-email/check').send(sendBody(list)).expect(500);
      asked.mockClear();
      forecasts.mockImplementationOnce(async (...given) => {
        await until('the others ask too', () => asked.mock.calls.length === 3);
        return AudienceEvaluation.prototype.forecast.apply(app.get(AudienceEvaluation), given);
      });
      const found = await Promise.all(
        ['one', 'two', 'three'].map((word) => check({ content: `Hi {{first_name}}, ${word}` })),
      );
      expect(found.map(({ forecast }) => forecast)).toEqual(Array(3).fill({ total: 3, reaches: 3, reasons: [] }));
      expect([forecasts.mock.calls.length, counts.mock.calls.length]).toEqual([2, 1]);
    } finally {
      for (const spy of [forecasts, counts, asked]) spy.mockRestore();
    }
  });

  it('knows that this very composition was tested', async () => {
    const written = { content: 'We need Java at $60/hr.' };
    await ann.agent
      .post('/api/send-email/test')
      .send(sendBody(list, { ...written, to: [ann.email] }))
      .expect(202);
    expect(item(await check(written), 'tested')?.level).toBe('passed');
    expect(item(await check({ content: 'We need Java at $65/hr.' }), 'tested')?.level).toBe('hint');
    const bob = await app.user({ set: { tier: 'pro' } });
    const other = await seedList(app, bob, { addresses: people(1) });
    expect(item(await check({ ...written, emailListIds: [other.id] }, bob), 'tested')?.level).toBe('hint');
  });

  it('has the hosts of links looked up by a worker, each once, and answers what became of them', async () => {
    const [gone, slow, here] = ['gone', 'slow', 'here'].map(
      (name) => `${name}-${randomUUID().slice(0, 8)}.example.com`,
    );
    const content = `https://${gone}/a https://${gone}/b https://${slow} https://${here}/x https://10.0.0.1/ http://169.254.169.254/`;
    const first = await check({ content });
    expect(first.links).toEqual({ state: 'checking', open: 3 });
    let found = first;
    await until('the links are checked', async () => (found = await check({ content })).links.state === 'done');
    expect(item(found, 'link_host')).toMatchObject({
      level: 'warning',
      text: `No server has the name ${gone}.`,
      words: [gone],
    });
    const mine = new Set([gone, slow, here]);
    expect(lookedUp.filter((host) => mine.has(host)).sort()).toEqual([gone, here, slow].sort());
    expect(lookedUp.some((host) => /^(10\.|169\.)/.test(host))).toBe(false);
  });

  it('says that the recipients could not be counted where that takes too long', async () => {
    const tuning = app.get(DeliveryTuning) as { forecastMs: number };
    const before = tuning.forecastMs;
    tuning.forecastMs = 1;
    try {
      const big = await seedList(app, ann, { addresses: people(2_000) });
      expect((await check({ emailListIds: [big.id] })).forecast).toBeNull();
    } finally {
      tuning.forecastMs = before;
    }
  });
});

describe('the forecast', () => {
  it('is what becomes of each address: consent, rules, exclusions, the cap of a company', async () => {
    const hosts = ['one.test', 'two.test', 'three.test'];
    const addresses = Array.from({ length: 40 }, (_one, n) => `w${n}-${randomUUID().slice(0, 6)}@${hosts[n % 3]}`);
    const world = await seedList(app, ann, { addresses });
    const twin = await seedList(app, ann, { addresses: addresses.slice(0, 8) });
    const out = await seedList(app, ann, { addresses: addresses.slice(20, 24) });
    const set = (from: number, to: number, sql: string) =>
      query(`update subscriptions set ${sql} where email_list_id = ? and email = any (?::text[])`, [
        world.id,
        `{${addresses.slice(from, to).join(',')}}`,
      ]);
    await set(8, 10, `suppressed = 'unsubscribed'`);
    await set(10, 11, `suppressed = 'complained'`);
    await set(11, 14, `confirmed = false`);
    await set(
      14,
      16,
      `subscription_type = case subscription_type when 'recruiter' then 'bench_sales' else subscription_type end`,
    );
    await prepareProfiles(app, ann);
    await ann.agent.post('/api/do-not-send').send({ value: addresses[16], reason: 'other' }).expect(201);
    const chosen = {
      emailListIds: [world.id, twin.id],
      excludeListIds: [out.id],
      excludeAddresses: [addresses[25]],
      perCompany: { max: 9, prefer: 'least_recently_mailed' },
      content: 'We need Java at $60/hr.',
    };
    const { forecast } = await check(chosen);
    const { total, reaches, reasons } = forecast!;
    expect(total).toBe(40);
    expect(reasons.reduce((sum, { count }) => sum + count, reaches)).toBe(total);
    const counts = Object.fromEntries(reasons.map(({ code, count }) => [code, count]));
    expect(counts).toMatchObject({
      unsubscribed: 2,
      complained: 1,
      pending: 3,
      excludedList: 4,
      excludedHere: 1,
      doNotSend: 1,
    });
    const id = await send(ann, world, chosen);
    await settled(ann, id);
    const delivered = addresses.filter((address) => app.mails.to(address).length > 0);
    expect(delivered).toHaveLength(reaches);
    const leftOut = await query<{ reason: string; n: number }>(
      `select reason, count(*)::int as n from send_left_out where history_id = ? group by reason`,
      [typeof id === 'string' ? id : (id as { id: string }).id],
    );
    for (const { reason, n } of leftOut) expect([reason, counts[reason]]).toEqual([reason, n]);
  });
});
