import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { EventBus } from '../../../src/shared/events/event-bus.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, send, settled, startSending } from './support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
});
afterAll(() => app.close());

const unlimited = { set: { tier: 'pro', agency_name: 'Acme' } };

describe('a send', () => {
  it('reaches 1,000 confirmed contacts exactly once; history, log and received mail agree', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 1000 });
    const before = app.mails.all.length;
    const id = await send(user, list);
    const entry = await settled(user, id);
    expect(entry).toMatchObject({
      status: 'sent',
      recipientCount: '1000',
      counts: { sent: 1000, queued: 0, failed: 0 },
    });
    const mails = app.mails.all.slice(before).filter((mail) => mail.subject === 'Senior Java developer');
    expect(mails).toHaveLength(1000);
    expect(new Set(mails.map((mail) => mail.to.join()))).toEqual(
      new Set(Array.from({ length: 1000 }, (_, i) => `p${i + 1}@people.test`)),
    );
    const log = (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
      recipientEmail: string;
      status: string;
      messageId: string;
      sentAt: string;
    }[];
    expect(log).toHaveLength(1000);
    expect(new Set(log.map((row) => row.messageId))).toEqual(
      new Set(mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail.raw)![1]!.trim())),
    );
    expect(log.every((row) => row.status === 'sent' && row.sentAt)).toBe(true);
    const page = await user.agent
      .get(`/api/email-history/${id}/deliveries?limit=400&search=p1&status=sent`)
      .expect(200);
    expect(page.headers['x-total-count']).toBe('112');
    const csv = await user.agent.get(`/api/email-history/${id}/deliveries.csv`).expect(200);
    expect(csv.text.trim().split('\r\n')).toHaveLength(1001);
    expect(mails[0]!.headers.get('precedence')).toBe('bulk');
    expect(mails[0]!.from).toBe('"Ann Kumar via Staffcast" <no-reply@staffcast.test>');
    expect(mails[0]!.text).toContain('Acme');
  });

  it('records the introductions of 500 first messages in batches', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 500 });
    await rows(app.em(), `update subscriptions set introduction_due = true where email_list_id = ?`, [list.id]);
    await rows(app.em(), `create table introductions_noted (n int)`);
    await rows(
      app.em(),
      `create function note_introductions() returns trigger language plpgsql as $$ begin insert into introductions_noted select count(*) from old_rows where introduction_due having count(*) > 0; return null; end $$`,
    );
    await rows(
      app.em(),
      `create trigger note_introductions after update on subscriptions referencing old table as old_rows for each statement execute function note_introductions()`,
    );
    try {
      const id = await send(user, list);
      expect((await settled(user, id)).counts).toMatchObject({ sent: 500 });
      const left = () =>
        rows(app.em(), `select 1 from subscriptions where email_list_id = ? and introduction_due`, [list.id]);
      await until(async () => (await left()).length === 0);
      const noted = (await rows<{ n: number }>(app.em(), `select n from introductions_noted`)).map(({ n }) => n);
      expect(noted.reduce((sum, n) => sum + n, 0)).toBe(500);
      expect(noted.length).toBeLessThan(50);
      process.stderr.write(`500 introductions in ${noted.length} statements\n`);
    } finally {
      await rows(app.em(), `drop trigger note_introductions on subscriptions`);
    }
  });

  it('is listed, found by subject, type and status, and paged', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 1 });
    const ids: string[] = [];
    for (const subject of ['One 100%', 'Two', 'Three']) ids.unshift(await send(user, list, { subject }));
    await Promise.all(ids.map((id) => settled(user, id)));
    const { body } = await user.agent.get('/api/email-history').expect(200);
    expect(body.map((item: { id: string }) => item.id)).toEqual(ids);
    expect(Object.keys(body[0]).sort()).toEqual(['emailType', 'id', 'recipientCount', 'sentAt', 'status', 'subject']);
    const asked = (await user.agent.get('/api/email-history?outcome=true').expect(200)).body as { outcome: unknown }[];
    expect(asked.map(({ outcome }) => outcome)).toEqual(
      ids.map(() => ({ sent: 1, unconfirmed: 0, failed: 0, bounced: 0 })),
    );
    expect(
      (await user.agent.get('/api/email-history').query({ search: '100%', type: 'job-post', status: 'sent' })).body,
    ).toHaveLength(1);
    expect((await user.agent.get('/api/email-history?type=candidate-list')).body).toHaveLength(0);
    const first = await user.agent.get('/api/email-history?limit=2').expect(200);
    expect(first.headers['x-total-count']).toBe('3');
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.link as string)![1]!;
    expect((await user.agent.get(next)).body.map((item: { id: string }) => item.id)).toEqual(ids.slice(2));
    const other = await app.user();
    for (const path of ['', '/deliveries', '/deliveries.csv', '/progress'])
      await other.agent.get(`/api/email-history/${ids[0]}${path}`).expect(404);
  });

  it('streams its progress and ends the stream when finished', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { count: 60 });
    const id = await send(user, list);
    const { headers, text } = await user.agent
      .get(`/api/email-history/${id}/progress`)
      .buffer(true)
      .parse((res, done) => {
        let all = '';
        res.on('data', (chunk: Buffer) => (all += chunk.toString()));
        res.on('end', () => done(null, all));
      })
      .then((res) => ({ headers: res.headers, text: res.body as string }));
    expect(headers['content-type']).toContain('text/event-stream');
    const events = text
      .split('\n\n')
      .filter((part) => part.startsWith('data: '))
      .map((part) => JSON.parse(part.slice(6)));
    expect(events.at(-1)).toMatchObject({ status: 'sent', sent: 60, queued: 0 });
  });

  it('masks addresses of the shared network, and excludes them from search', async () => {
    const user = await app.user(unlimited);
    const network = await seedList(app, null, { addresses: ['secret@network.test'] });
    const id = await send(user, network);
    await settled(user, id);
    const all = (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body;
    expect(all).toEqual([expect.objectContaining({ recipientEmail: 's…@network.test', status: 'sent' })]);
    expect((await user.agent.get(`/api/email-history/${id}/deliveries?search=secret`)).body).toEqual([]);
    expect((await user.agent.get(`/api/email-history/${id}/deliveries.csv`)).text).not.toContain('secret@');
  });

  it('records unsubscribes caused by it', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['leaver@people.test', 'stayer@people.test'] });
    const id = await send(user, list);
    await settled(user, id);
    const [contact] = await rows<{ id: string }>(
      app.em(),
      `select id from subscriptions where email_list_id = ? and email_norm = 'leaver@people.test'`,
      [list.id],
    );
    await app
      .get(EventBus)
      .emit('contact.unsubscribed', { contactId: contact!.id, addressHash: Buffer.alloc(32), ownerId: user.id });
    await until(async () => (await settled(user, id)).counts.unsubscribed === 1);
    expect((await settled(user, id)).counts).toMatchObject({ unsubscribed: 1, sent: 2 });
  });
});
