import { describe, expect, it } from '@jest/globals';
import { Audience, Lists, type RecheckedContact } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { settled as asked } from '../outreach/support.js';
import {
  app,
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

describe('opt-in', () => {
  it('is sent to an added contact and confirmed by the mailed link, repeatedly', async () => {
    const list = await newList();
    const contact = await add(list);
    const [mail] = await app.mails.waitFor(contact.email);
    expect(mail!.text).toMatch(/^http:\/\/staffcast\.test\/subscribe\/confirmed\?token=[\w-]{43}$/m);
    expect(mail!.text).not.toContain('/api/');
    const token = tokenIn(mail!.text);
    const first = await confirm(token).expect(200);
    expect(first.body).toEqual({ message: expect.any(String), email: contact.email, listName: 'Java vendors' });
    const second = await confirm(token).expect(200);
    expect(second.body).toEqual(first.body);
    expect((await state(contact.id)).confirmed).toBe(true);
    const events = await query<{ kind: string }>(
      'select kind from consent_events where contact_id = ? order by created_at',
      [contact.id],
    );
    expect(events.map((event) => event.kind)).toEqual(['requested', 'confirmed']);
    const [row] = await query<{ consent: { how: string; ip: string } }>(
      'select consent from subscriptions where id = ?',
      [contact.id],
    );
    expect(row!.consent).toMatchObject({ how: 'link', ip: '127.0.0.1' });
  });

  it('waits for an unverified owner and is sent on verification', async () => {
    const eve = await app.user({ verified: false });
    const list = await newList(eve);
    const contact = await add(list, address(), eve);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email: address(), subscriptionType: 'job-posts', emailListId: list })
      .expect(404);
    await app.mails.waitFor((await add(await newList())).email);
    expect(app.mails.to(contact.email)).toHaveLength(0);
    const refused = await eve.agent
      .post(`/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`)
      .expect(403);
    expect(refused.body.code).toBe('email_unverified');
    await query('update auth_credentials set is_verified = true where user_id = ?', [eve.id]);
    await app.mails.waitFor(contact.email);
  });

  it('can be resent once', async () => {
    const list = await newList();
    const contact = await add(list);
    await app.mails.waitFor(contact.email);
    const path = `/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`;
    await ann.agent.post(path).expect(202);
    expect((await ann.agent.post(path).expect(409)).body.code).toBe('already_resent');
    await bob.agent.post(path).expect(404);
    await asked(app);
    expect(app.mails.to(contact.email)).toHaveLength(1);
    await query(`update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [list]);
    await query('update subscriptions set opt_in_due_at = now() where id = ?', [contact.id]);
    await confirm(await confirmToken(contact.email, 2)).expect(200);
    expect((await ann.agent.post(path).expect(409)).body.code).toBe('already_confirmed');
  });

  it('sends an address at most three mails a day over all lists', async () => {
    const victim = address();
    for (let n = 0; n < 5; n += 1) await add(await newList(n % 2 ? bob : ann), victim, n % 2 ? bob : ann);
    await app.mails.waitFor(victim, 3);
    await asked(app);
    expect(app.mails.to(victim)).toHaveLength(3);
    const waiting = await query(
      `select id from subscriptions where email_norm = ? and opt_in_state = 'due' and opt_in_due_at > now() + interval '23 hours'`,
      [victim],
    );
    expect(waiting).toHaveLength(2);
  });

  it('is not confirmed by HEAD, navigation, prefetch and pages', async () => {
    const list = await newList();
    const contact = await add(list);
    const path = `/api/subscribe/confirm/${await confirmToken(contact.email)}`;
    await app.http().head(path).expect(200);
    for (const headers of [
      { 'Sec-Fetch-Mode': 'navigate' },
      { 'Sec-Fetch-Dest': 'document' },
      { 'Sec-Purpose': 'prefetch' },
      { Purpose: 'prefetch' },
      { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    ]) {
      const answer = await app
        .http()
        .get(path)
        .set(headers as never)
        .expect(200);
      expect(answer.body.email).toBeUndefined();
    }
    expect((await state(contact.id)).confirmed).toBe(false);
    await app.http().get(path).set('Accept', '*/*').expect(200);
    expect((await state(contact.id)).confirmed).toBe(true);
  });

  it('distinguishes wrong from expired links', async () => {
    for (const token of ['x', 'a'.repeat(43), 'y'.repeat(9000)])
      expect((await confirm(token).expect(404)).body.code).toBe('token_invalid');
    const contact = await add(await newList());
    const token = await confirmToken(contact.email);
    await query(`update subscriptions set confirmation_token_expires = now() - interval '1 minute' where id = ?`, [
      contact.id,
    ]);
    expect((await confirm(token).expect(410)).body.code).toBe('token_expired');
  });
});

describe('public subscribe', () => {
  it("sends a confirmation mail and records the form's wording", async () => {
    const list = await newList();
    const email = address();
    const send = () =>
      app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: list });
    expect((await send().expect(200)).body.message).toBe("We've sent a confirmation link to verify your subscription.");
    const pending = await send().expect(409);
    expect(pending.body).toMatchObject({ code: 'confirmation_pending' });
    expect(pending.body.error).toContain('confirmation email has already been sent');
    const token = await confirmToken(email);
    expect((await send().expect(409)).body.code).toBe('confirmation_pending');
    await query(`update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`, [
      email,
    ]);
    await query(`update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [list]);
    await send().expect(200);
    const newer = await confirmToken(email, 2);
    expect((await confirm(token)).status).toBe(404);
    await confirm(newer).expect(200);
    const done = await send().expect(409);
    expect(done.body).toMatchObject({ code: 'already_subscribed' });
    expect(done.body.error).toContain('already subscribed to this list');
  });

  it('joins the network without a list, and refuses invalid input', async () => {
    const email = address();
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'candidate-lists' }).expect(200);
    const [row] = await query<{ is_default: boolean }>(
      'select l.is_default from subscriptions c join email_lists l on l.id = c.email_list_id where c.email_norm = ?',
      [email],
    );
    expect(row!.is_default).toBe(true);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email, subscriptionType: 'job-posts', emailListId: 'nonsense' })
      .expect(404);
    await app
      .http()
      .post('/api/subscribe')
      .send({ email, subscriptionType: 'job-posts', emailListId: '00000000-0000-4000-8000-000000000000' })
      .expect(404);
    expect(
      (await app.http().post('/api/subscribe').send({ email: 'x', subscriptionType: 'job-posts' }).expect(400)).body
        .message,
    ).toBe('Please enter a valid email address');
    expect(
      (await app.http().post('/api/subscribe').send({ email, subscriptionType: 'x' }).expect(400)).body.message,
    ).toBe('Please select a subscription type');
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', confirmed: true }).expect(400);
  });
});

describe('the audience of a send', () => {
  it('counts each address once and reports the excluded ones', async () => {
    const [one, two] = [await newList(), await newList()];
    const twice = await confirmed(one);
    await confirmed(two, twice.email);
    await add(one);
    const left = await confirmed(one);
    await app.http().post(`/unsubscribe/${left.token}`).expect(200);
    const other = await confirmed(two);
    await query(`update subscriptions set subscription_type = 'candidate-lists' where id = ?`, [other.id]);
    expect(await app.get(Audience).preview(ann, [one, two], 'job-post')).toEqual({
      recipientCount: 1,
      excluded: { pending: 1, otherType: 1, suppressed: 1, duplicates: 1 },
    });
    expect(await recipients(ann, [one, two])).toEqual([twice.email]);
    const asked = [twice.id, left.id, '00000000-0000-4000-8000-000000000000'];
    const { sql, params } = app
      .get(Audience)
      .recheckSql('in (select value::uuid from jsonb_array_elements_text(?::jsonb))', ann.id);
    const { mailable, skipped } = app
      .get(Audience)
      .rechecked(await rows<RecheckedContact>(app.em(), sql, [...params, JSON.stringify(asked)]), asked, ann.id);
    expect([...mailable.keys()]).toEqual([twice.id]);
    expect(skipped.get(left.id)).toBe('unsubscribed');
    expect(skipped.get('00000000-0000-4000-8000-000000000000')).toBe('deleted');
    expect(await app.get(Lists).findSendable(bob, [one])).toBeNull();
  });
});
