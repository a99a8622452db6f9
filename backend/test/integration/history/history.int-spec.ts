import { describe, expect, it } from '@jest/globals';
import type { SignedUp } from '../../kit/users.js';
import { app, sql, stats, newList, addContact, recordSend } from './support.js';

describe('the history', () => {
  const subjects = async (user: SignedUp, query: Record<string, string>) =>
    ((await user.agent.get('/api/email-history').query(query).expect(200)).body as { subject: string }[]).map(
      ({ subject }) => subject,
    );

  it("is filtered by days of the sender's zone and by status", async () => {
    const user = await app.user({ set: { time_zone: 'America/New_York' } });
    await recordSend(user, '2026-03-02T04:30:00Z', [], 'evening of the first');
    await recordSend(user, '2026-03-02T05:30:00Z', [], 'the second');
    const failed = await recordSend(user, '2026-03-03T12:00:00Z', [], 'the third');
    await sql(`update email_history set status = 'failed' where id = ?`, [failed]);
    expect(await subjects(user, { from: '2026-03-02' })).toEqual(['the third', 'the second']);
    expect(await subjects(user, { to: '2026-03-01' })).toEqual(['evening of the first']);
    expect(await subjects(user, { from: '2026-03-02', to: '2026-03-02' })).toEqual(['the second']);
    expect(await subjects(user, { from: '2026-03-01', status: 'failed' })).toEqual(['the third']);
    for (const bad of ['2026-13-01', '2026-02-30', 'yesterday', '0000-01-01', '2026-03-01T00:00:00Z'])
      await user.agent.get('/api/email-history').query({ from: bad }).expect(400);
  });

  it('finds a cancelled send only as cancelled, whatever was sent before, and one that is being cancelled also as in progress', async () => {
    const user = await app.user();
    const cancel = (id: string, status: string) =>
      sql('update email_history set cancelled_at = now(), status = ? where id = ?', [status, id]);
    await recordSend(user, '2026-03-02T00:00:00Z', [], 'whole');
    await cancel(await recordSend(user, '2026-03-02T01:00:00Z', [], 'cut short'), 'sent');
    await cancel(await recordSend(user, '2026-03-02T02:00:00Z', [], 'cut at once'), 'failed');
    // A message in flight keeps the send from ending.
    const ending = await recordSend(user, '2026-03-02T03:00:00Z', ['sending'], 'ending');
    await sql(
      `update email_delivery_logs set transmitting = true, lease_until = now() + interval '1 hour' where history_id = ?`,
      [ending],
    );
    await cancel(ending, 'pending');
    expect(await subjects(user, { status: 'sent' })).toEqual(['whole']);
    expect(await subjects(user, { status: 'failed' })).toEqual([]);
    expect(await subjects(user, { status: 'cancelled' })).toEqual(['ending', 'cut at once', 'cut short']);
    expect(await subjects(user, { status: 'pending' })).toEqual(['ending']);
  });

  it.each([
    ['recipients', ['a 1', 'B 2', 'c 2', 'd 10']],
    ['-recipients', ['d 10', 'c 2', 'B 2', 'a 1']],
    ['subject', ['a 1', 'B 2', 'c 2', 'd 10']],
    ['-sentAt', ['d 10', 'c 2', 'B 2', 'a 1']],
  ])('is sorted by %s, with each send once for any page size', async (sort, expected) => {
    const user = await app.user();
    for (const [at, subject] of ['a 1', 'B 2', 'c 2', 'd 10'].entries()) {
      const id = await recordSend(user, `2026-03-02T0${at}:00:00Z`, [], subject);
      await sql('update email_history set recipient_count = ? where id = ?', [Number(subject.slice(2)), id]);
    }
    const found: string[] = [];
    for (let next: string | undefined = `/api/email-history?sort=${sort}&limit=1`; next;) {
      const page: { body: unknown; headers: Record<string, string> } = await user.agent.get(next).expect(200);
      found.push(...(page.body as { subject: string }[]).map(({ subject }) => subject));
      next = /<([^>]+)>; rel="next"/.exec(page.headers.link ?? '')?.[1];
    }
    // Two sends with equal recipient counts may come in either order.
    const tied = sort.endsWith('recipients')
      ? (all: string[]) => [...all.slice(0, 1), ...all.slice(1, 3).sort(), ...all.slice(3)]
      : (all: string[]) => all;
    expect(tied(found)).toEqual(tied(expected));
    expect(await subjects(user, { sort })).toEqual(found);
  });

  it('names the lists of each send on request, and refuses an unknown order', async () => {
    const user = await app.user();
    const id = await recordSend(user, '2026-03-02T00:00:00Z');
    await sql(`insert into email_history_lists (history_id, position, name) values (?, 1, 'Second'), (?, 0, 'First')`, [
      id,
      id,
    ]);
    expect((await user.agent.get('/api/email-history?outcome=true').expect(200)).body[0].lists).toEqual([
      'First',
      'Second',
    ]);
    await user.agent.get('/api/email-history?sort=content').expect(400);
  });

  it("has entries and lists that the dashboard's activity links to", async () => {
    const user = await app.user();
    const list = await newList(user);
    const contact = await addContact(user, list, 'where@vendor.example');
    await sql('update subscriptions set confirmed = true, confirmed_at = now() where id = ?', [contact]);
    const id = await recordSend(user, new Date(Date.now() + 1000).toISOString());
    const events = (await stats(user)).recentActivity as { action: string; sendId?: string; listId?: string }[];
    expect(events.map(({ action, sendId, listId }) => [action, sendId, listId])).toEqual([
      ['Email sent', id, undefined],
      ['Contact confirmed', undefined, list],
      ['Contact added', undefined, list],
      ['List created', undefined, list],
    ]);
  });
});
