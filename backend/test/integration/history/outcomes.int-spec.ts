import { describe, expect, it } from '@jest/globals';
import { TallyCompactor } from '../../../src/modules/history/send-totals-reader.service.js';
import { TrendCompactor } from '../../../src/modules/lists/my-lists/list-activity.service.js';
import { app, sql, trends, outcomes, newList, addContact, recordSend } from './support.js';

describe('the outcome of sends', () => {
  it('follows every settled delivery and later bounce, also written concurrently', async () => {
    const user = await app.user();
    const statuses = Array.from({ length: 40 }, () => 'queued');
    const id = await recordSend(user, new Date().toISOString(), statuses, 'Busy');
    const settle = (from: number, to: number, status: string) =>
      sql(`update email_delivery_logs set status = ? where history_id = ? and position between ? and ?`, [
        status,
        id,
        from,
        to,
      ]);
    await settle(1, 40, 'sending');
    expect(await outcomes(user)).toMatchObject([{ sent: 0, failed: 0, bounced: 0, skipped: 0 }]);
    await Promise.all([
      settle(1, 10, 'sent'),
      settle(11, 20, 'unconfirmed'),
      settle(21, 25, 'failed'),
      settle(26, 30, 'skipped'),
      settle(31, 40, 'deferred'),
    ]);
    expect(await outcomes(user)).toMatchObject([
      { id, subject: 'Busy', sent: 20, unconfirmed: 10, failed: 5, bounced: 0, skipped: 5 },
    ]);
    expect((await trends(user)).at(-1)).toMatchObject({ sent: 20, unconfirmed: 10 });
    const [shown] = (await user.agent.get('/api/email-history?outcome=true').expect(200)).body;
    expect(shown.outcome).toEqual({ sent: 20, unconfirmed: 10, failed: 5, bounced: 0 });
    await Promise.all([
      settle(1, 2, 'bounced'),
      settle(3, 4, 'complained'),
      settle(31, 40, 'sent'),
      settle(21, 21, 'sent'),
    ]);
    expect(await outcomes(user)).toMatchObject([{ sent: 29, failed: 4, bounced: 2, skipped: 5 }]);
    expect((await trends(user)).at(-1)).toMatchObject({ sends: 1, sent: 29, failed: 4, bounced: 2 });
  });

  it('equals a count of the rows, and is deleted with the account', async () => {
    const user = await app.user();
    await recordSend(user, new Date().toISOString(), ['sent', 'bounced', 'failed', 'queued', 'complained']);
    await addContact(user, await newList(user), 'someone@vendor.example');
    const counted = await sql(
      `select status, count(*)::int as n from email_delivery_logs where user_id = ? and status <> 'queued' group by 1 order by 1`,
      [user.id],
    );
    expect(counted).toEqual([
      { status: 'bounced', n: 1 },
      { status: 'complained', n: 1 },
      { status: 'failed', n: 1 },
      { status: 'sent', n: 1 },
    ]);
    expect(await outcomes(user)).toMatchObject([{ sent: 2, failed: 1, bounced: 1 }]);
    expect(await sql(`select added from contact_trends where owner_id = ?`, [user.id])).toEqual([{ added: 1 }]);
    await sql(`delete from users where id = ?`, [user.id]);
    expect(
      await sql(
        `select 1 from delivery_tallies t where not exists (select 1 from email_history h where h.id = t.history_id)`,
      ),
    ).toEqual([]);
    expect(await sql(`select 1 from contact_trends where owner_id = ?`, [user.id])).toEqual([]);
  });

  it('is unchanged by compaction', async () => {
    const user = await app.user();
    const list = await newList(user);
    const id = await recordSend(user, new Date().toISOString(), ['queued', 'queued', 'queued', 'queued']);
    const settle = (position: number, status: string) =>
      sql(`update email_delivery_logs set status = ? where history_id = ? and position = ?`, [status, id, position]);
    await Promise.all([
      settle(1, 'sent'),
      settle(2, 'sent'),
      settle(3, 'failed'),
      addContact(user, list, 'a@vendor.example'),
      addContact(user, list, 'b@vendor.example'),
    ]);
    await sql(`update contact_trends set quarter = quarter - interval '2 hours' where owner_id = ?`, [user.id]);
    const before = [await trends(user), await outcomes(user)];
    const compact = () => Promise.all([app.get(TallyCompactor).compact(), app.get(TrendCompactor).compact()]);
    await Promise.all([compact(), compact()]);
    expect([await trends(user), await outcomes(user)]).toEqual(before);
    expect(await sql(`select backend, sent, failed from delivery_tallies where history_id = ?`, [id])).toEqual([
      { backend: 0, sent: 2, failed: 1 },
    ]);
    expect(await sql(`select backend, added from contact_trends where owner_id = ?`, [user.id])).toEqual([
      { backend: 0, added: 2 },
    ]);
    await settle(1, 'bounced');
    await settle(4, 'sent');
    await compact();
    expect(await outcomes(user)).toMatchObject([{ sent: 2, failed: 1, bounced: 1 }]);
  });

  it('shows ten own sends, newest first', async () => {
    const [user, other] = await Promise.all([app.user(), app.user()]);
    await recordSend(other, new Date().toISOString(), ['sent']);
    for (let i = 0; i < 12; i += 1)
      await recordSend(user, new Date(Date.now() - i * 60_000).toISOString(), ['sent'], `Send ${i}`);
    expect((await outcomes(user)).map((send: { subject: string }) => send.subject)).toEqual(
      Array.from({ length: 10 }, (_, i) => `Send ${i}`),
    );
  });
});
