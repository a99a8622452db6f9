import { describe, expect, it } from '@jest/globals';
import { app, admin, ann, address, query, listOf, add, confirm, acts, recipients } from './contacts-support.js';

describe('the suppression list', () => {
  const find = async (search: string) =>
    (await admin.agent.get(`/api/admin/suppressions?search=${encodeURIComponent(search)}`).expect(200)).body as {
      id: string;
      cause: string;
      scope: string;
      email: string | null;
    }[];

  it('gets a new entry only once', async () => {
    const email = address();
    expect(
      (
        await admin.agent
          .post('/api/admin/suppressions')
          .send({ email: email.toUpperCase(), cause: 'complained', reason: 'Wrote to us' })
          .expect(201)
      ).body,
    ).toEqual({
      id: expect.any(String),
      email,
      cause: 'complained',
      scope: 'all',
      ownerEmail: null,
      createdAt: expect.any(String),
      expiresAt: null,
    });
    expect((await admin.agent.post('/api/admin/suppressions').send({ email }).expect(409)).body.code).toBe(
      'suppressed',
    );
    await admin.agent.post('/api/admin/suppressions').send({ email: 'nobody' }).expect(400);
    const list = await listOf(ann);
    await ann.agent.post(`/api/email-lists/${list}/subscribers`).send({ email }).expect(409);
    expect((await acts('suppression.added'))[0]).toMatchObject({
      reason: `${email} (all): Wrote to us`,
      actorEmail: admin.email,
    });
  });

  it('finds an address by a part of it, and one stored only as a hash by the whole address', async () => {
    const email = address();
    await admin.agent.post('/api/admin/suppressions').send({ email }).expect(201);
    expect(await find(email.slice(1, 8))).toHaveLength(1);
    await query('update suppressions set address_norm = null where address_norm = ?', [email]);
    expect(await find(email.slice(1, 8))).toHaveLength(0);
    expect(await find(email)).toMatchObject([{ email: null }]);
  });

  it('entries can be lifted: bounced addresses are mailable again, unsubscribed people Pending until they confirm', async () => {
    const list = await listOf(ann);
    const [bounced, left] = [await add(ann, list), await add(ann, list)];
    for (const { id } of [bounced, left]) await confirm(id).expect(200);
    const [token] = await query<{ unsubscribe_token: string }>(
      'select unsubscribe_token from subscriptions where id = ?',
      [left.id],
    );
    await app.http().get(`/api/unsubscribe/${token!.unsubscribe_token}`).set('Accept', 'application/json').expect(200);
    await query(
      `insert into suppressions (scope, owner_id, address_hash, address_norm, reason) select 'owner', ?, email_hash, email_norm, 'bounced' from subscriptions where id = ?`,
      [ann.id, bounced.id],
    );
    await query(`update subscriptions set suppressed = 'bounced' where id = ?`, [bounced.id]);
    expect(await recipients(ann, [list])).toEqual([]);
    for (const { email } of [bounced, left])
      await admin.agent
        .delete(`/api/admin/suppressions/${(await find(email))[0]!.id}`)
        .send({ reason: 'Mailbox is back' })
        .expect(204);
    expect(await recipients(ann, [list])).toEqual([bounced.email]);
    const { body } = await ann.agent.get(`/api/email-lists/${list}/subscribers?sort=email`).expect(200);
    expect(
      body.map(({ email, confirmed, suppressed }: { email: string; confirmed: boolean; suppressed: null }) => [
        email,
        confirmed,
        suppressed,
      ]),
    ).toEqual(
      [
        [bounced.email, true, null],
        [left.email, false, null],
      ].sort((a, b) => String(a[0]).localeCompare(String(b[0]))),
    );
    expect((await acts('suppression.lifted'))[0]!.reason).toContain('Mailbox is back');
  });

  it('keeps an address off while another suppression applies', async () => {
    const list = await listOf(ann);
    const { id, email } = await add(ann, list);
    await admin.agent.post('/api/admin/suppressions').send({ email }).expect(201);
    await query(
      `insert into suppressions (scope, owner_id, address_hash, address_norm, reason) select 'owner', ?, email_hash, email_norm, 'unsubscribed' from subscriptions where id = ?`,
      [ann.id, id],
    );
    const all = (await find(email)).find(({ scope }) => scope === 'all')!;
    await admin.agent.delete(`/api/admin/suppressions/${all.id}`).expect(204);
    const [row] = await query<{ suppressed: string }>('select suppressed from subscriptions where id = ?', [id]);
    expect(row!.suppressed).toBe('unsubscribed');
  });
});
