import { describe, expect, it } from '@jest/globals';
import {
  app,
  admin,
  ann,
  bob,
  address,
  query,
  newList,
  add,
  tokenIn,
  confirmToken,
  confirm,
  confirmed,
  state,
  recipients,
} from './consent-support.js';

describe('unsubscribe', () => {
  it('removes the address from all lists of the owner, once, also when it is added again', async () => {
    const [one, two] = [await newList(), await newList()];
    const contact = await confirmed(one);
    const elsewhere = await confirmed(two, contact.email);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        n % 2
          ? app.http().post(`/unsubscribe/${contact.token}`).type('form').send('List-Unsubscribe=One-Click')
          : app
              .http()
              .post(`/unsubscribe/${contact.token}`)
              .set('Origin', 'https://evil.example')
              .set('Sec-Fetch-Site', 'cross-site')
              .field('List-Unsubscribe', 'One-Click'),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).toEqual({ message: expect.any(String), email: contact.email });
    }
    expect(
      await query(`select id from consent_events where address_hash = sha256(?::bytea) and kind = 'withdrawn'`, [
        contact.email,
      ]),
    ).toHaveLength(1);
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
    expect((await state(elsewhere.id)).suppressed).toBe('unsubscribed');
    expect(await recipients(ann, [one, two])).toEqual([]);
    const { body: list } = await ann.agent.get(`/api/email-lists/${one}`).expect(200);
    expect(list.contactCount).toBe(0);
    for (const id of [one, await newList()]) {
      const refused = await ann.agent
        .post(`/api/email-lists/${id}/subscribers`)
        .send({ email: contact.email.toUpperCase() })
        .expect(409);
      expect(refused.body.code).toBe('suppressed');
    }
    await add(await newList(bob), contact.email, bob);
  });

  it('by GET acts for mail programs only, with the same answer twice', async () => {
    const contact = await confirmed(await newList());
    const path = `/api/unsubscribe/${contact.token}`;
    await app.http().head(path).expect(200);
    await app.http().get(`/unsubscribe/${contact.token}`).set('Accept', 'text/html');
    for (const headers of [
      { 'Sec-Fetch-Mode': 'navigate' },
      { 'Sec-Purpose': 'prefetch;prerender' },
      { Accept: 'text/html' },
    ])
      await app
        .http()
        .get(path)
        .set(headers as never)
        .expect(200);
    expect((await state(contact.id)).suppressed).toBeNull();
    const first = await app.http().get(path).expect(200);
    expect(first.headers['cache-control']).toContain('no-store');
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
    expect((await app.http().get(path).expect(200)).body).toEqual(first.body);
  });

  it('answers unknown and malformed links alike', async () => {
    const bodies = new Set<string>();
    for (const token of ['x', 'a'.repeat(43), 'z'.repeat(10_000), '%25']) {
      for (const call of [
        app.http().get(`/api/unsubscribe/${token}`),
        app.http().post(`/api/unsubscribe/${token}`),
        app.http().post(`/unsubscribe/${token}`),
      ]) {
        const answer = await call.expect(404);
        bodies.add(JSON.stringify(answer.body));
      }
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        statusCode: 404,
        code: 'not_found',
        message: 'Invalid unsubscribe link',
        error: 'Invalid unsubscribe link',
      }),
    ]);
  });

  it('has links that outlive contact, address and list', async () => {
    const list = await newList();
    const [gone, moved, listed] = [await confirmed(list), await confirmed(list), await confirmed(list)];
    await ann.agent.delete(`/api/email-lists/${list}/subscribers/${gone.id}`).expect(204);
    await ann.agent.patch(`/api/email-lists/${list}/subscribers/${moved.id}`).send({ email: address() }).expect(200);
    await ann.agent.delete(`/api/email-lists/${list}`).expect(204);
    const other = await newList();
    for (const contact of [gone, moved, listed]) {
      expect((await app.http().post(`/unsubscribe/${contact.token}`).expect(200)).body.email).toBe(contact.email);
      await ann.agent.post(`/api/email-lists/${other}/subscribers`).send({ email: contact.email }).expect(409);
    }
  });

  it('can be undone for ten minutes', async () => {
    const contact = await confirmed(await newList());
    await app.http().post(`/api/unsubscribe/${contact.token}`).expect(200);
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(200);
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(200);
    expect(await state(contact.id)).toMatchObject({ confirmed: true, suppressed: null });
    await app.http().post(`/api/unsubscribe/${contact.token}`).expect(200);
    await query(
      `update suppressions set created_at = now() - interval '11 minutes' where address_hash = sha256(?::bytea)`,
      [contact.email],
    );
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(410);
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
  });

  it('from everything applies to every sender, and no sender can ask the address to opt in again', async () => {
    const [mine, others] = [await newList(), await newList(bob)];
    const contact = await confirmed(mine);
    await confirmed(others, contact.email, bob);
    await app.http().post(`/api/unsubscribe/${contact.token}/all`).expect(200);
    expect(await recipients(bob, [others])).toEqual([]);
    for (const mail of app.mails.to(contact.email))
      expect((await confirm(tokenIn(mail.text))).body.code).toBe('token_expired');
    await query(`update system_mails set created_at = created_at - interval '25 hours'`);
    const subscribe = (email: string) =>
      app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: mine });
    const probe = address();
    const { body } = await subscribe(contact.email).expect(200);
    expect((await subscribe(probe).expect(200)).body).toEqual(body);
    await app.mails.waitFor(probe);
    expect((await subscribe(contact.email)).body).toEqual((await subscribe(probe)).body);
    expect(app.mails.to(contact.email)).toHaveLength(2);
    expect(await state(contact.id)).toMatchObject({ confirmed: true, suppressed: 'unsubscribed' });
    expect([await recipients(ann, [mine]), await recipients(bob, [others])]).toEqual([[], []]);
  });

  it('from the network applies to all senders', async () => {
    const email = address();
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts' }).expect(200);
    await confirm(await confirmToken(email)).expect(200);
    const [row] = await query<{ unsubscribe_token: string; email_list_id: string }>(
      'select unsubscribe_token, email_list_id from subscriptions where email_norm = ?',
      [email],
    );
    expect(await recipients(bob, [row!.email_list_id])).toContain(email);
    await app.http().post(`/unsubscribe/${row!.unsubscribe_token}`).expect(200);
    for (const user of [ann, bob]) expect(await recipients(user, [row!.email_list_id])).not.toContain(email);
    await admin.agent.post(`/api/email-lists/${row!.email_list_id}/subscribers`).send({ email }).expect(409);
  });
});
