import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Audience, Lists, type RecheckedContact } from '../../../src/modules/lists/index.js';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp();
  [ann, bob, admin] = await Promise.all([app.user(), app.user(), app.user({ admin: true })]);
});
afterAll(() => app.close());

const address = () => `v${randomBytes(5).toString('hex')}@vendor.example`;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

async function newList(user = ann): Promise<string> {
  return (await user.agent.post('/api/email-lists').send({ name: 'Java vendors' }).expect(201)).body.id;
}
async function add(list: string, email = address(), user = ann): Promise<{ id: string; email: string }> {
  return (await user.agent.post(`/api/email-lists/${list}/subscribers`).send({ email }).expect(201)).body;
}
const tokenIn = (text: string) => /\/subscribe\/confirmed\?token=([\w-]{43})/.exec(text)![1]!;
const confirmToken = async (email: string, count = 1) => tokenIn((await app.mails.waitFor(email, count)).at(-1)!.text);
const confirm = (token: string) => app.http().get(`/api/subscribe/confirm/${token}`).set('Accept', 'application/json');

/** A contact that has confirmed by its mailed link. */
async function confirmed(list: string, email = address(), user = ann) {
  const before = app.mails.to(email).length;
  const contact = await add(list, email, user);
  await confirm(await confirmToken(email, before + 1)).expect(200);
  const [row] = await query<{ unsubscribe_token: string }>('select unsubscribe_token from subscriptions where id = ?', [contact.id]);
  return { ...contact, token: row!.unsubscribe_token };
}
async function state(id: string) {
  const [row] = await query<{ confirmed: boolean; suppressed: string | null; opt_in_state: string }>('select confirmed, suppressed, opt_in_state from subscriptions where id = ?', [id]);
  return row!;
}
async function recipients(user: SignedUp, ids: string[]): Promise<string[]> {
  const lists = await app.get(Lists).findSendable(user, ids);
  const { sql, params } = app.get(Audience).selectSql(lists!, 'job-posts', user.id);
  return (await query<{ email: string }>(`select email from (${sql}) r order by email`, params)).map((row) => row.email);
}

describe('opt-in', () => {
  it('goes out to an added contact and confirms by the mailed link, again and again', async () => {
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
    const events = await query<{ kind: string }>('select kind from consent_events where contact_id = ? order by created_at', [contact.id]);
    expect(events.map((event) => event.kind)).toEqual(['requested', 'confirmed']);
    const [row] = await query<{ consent: { how: string; ip: string } }>('select consent from subscriptions where id = ?', [contact.id]);
    expect(row!.consent).toMatchObject({ how: 'link', ip: '127.0.0.1' });
  });

  it('waits for an unverified owner and leaves on verification', async () => {
    const eve = await app.user({ verified: false });
    const list = await newList(eve);
    const contact = await add(list, address(), eve);
    await app.http().post('/api/subscribe').send({ email: address(), subscriptionType: 'job-posts', emailListId: list }).expect(404);
    await app.mails.waitFor((await add(await newList())).email);
    expect(app.mails.to(contact.email)).toHaveLength(0);
    const refused = await eve.agent.post(`/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`).expect(403);
    expect(refused.body.code).toBe('email_unverified');
    await query('update auth_credentials set is_verified = true where user_id = ?', [eve.id]);
    await app.mails.waitFor(contact.email);
  });

  it('is resent once', async () => {
    const list = await newList();
    const contact = await add(list);
    await app.mails.waitFor(contact.email);
    const path = `/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`;
    await ann.agent.post(path).expect(202);
    expect((await ann.agent.post(path).expect(409)).body.code).toBe('already_resent');
    await bob.agent.post(path).expect(404);
    await pause(800);
    expect(app.mails.to(contact.email)).toHaveLength(1);
    await query(`update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [list]);
    await query('update subscriptions set opt_in_due_at = now() where id = ?', [contact.id]);
    await confirm(await confirmToken(contact.email, 2)).expect(200);
    expect((await ann.agent.post(path).expect(409)).body.code).toBe('already_confirmed');
  });

  it('never sends an address more than three in a day over all lists', async () => {
    const victim = address();
    for (let n = 0; n < 5; n += 1) await add(await newList(n % 2 ? bob : ann), victim, n % 2 ? bob : ann);
    await app.mails.waitFor(victim, 3);
    await pause(1000);
    expect(app.mails.to(victim)).toHaveLength(3);
    const waiting = await query(`select id from subscriptions where email_norm = ? and opt_in_state = 'due' and opt_in_due_at > now() + interval '23 hours'`, [victim]);
    expect(waiting).toHaveLength(2);
  });

  it('does nothing for HEAD, navigation, prefetch and pages', async () => {
    const list = await newList();
    const contact = await add(list);
    const path = `/api/subscribe/confirm/${await confirmToken(contact.email)}`;
    await app.http().head(path).expect(200);
    for (const headers of [{ 'Sec-Fetch-Mode': 'navigate' }, { 'Sec-Fetch-Dest': 'document' }, { 'Sec-Purpose': 'prefetch' }, { Purpose: 'prefetch' }, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }]) {
      const answer = await app.http().get(path).set(headers as never).expect(200);
      expect(answer.body.email).toBeUndefined();
    }
    expect((await state(contact.id)).confirmed).toBe(false);
    await app.http().get(path).set('Accept', '*/*').expect(200);
    expect((await state(contact.id)).confirmed).toBe(true);
  });

  it('tells wrong from expired links', async () => {
    for (const token of ['x', 'a'.repeat(43), 'y'.repeat(9000)]) expect((await confirm(token).expect(404)).body.code).toBe('token_invalid');
    const contact = await add(await newList());
    const token = await confirmToken(contact.email);
    await query(`update subscriptions set confirmation_token_expires = now() - interval '1 minute' where id = ?`, [contact.id]);
    expect((await confirm(token).expect(410)).body.code).toBe('token_expired');
  });
});

describe('public subscribe', () => {
  it('asks the address and says what it was asked before', async () => {
    const list = await newList();
    const email = address();
    const send = () => app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: list });
    expect((await send().expect(200)).body.message).toBe("We've sent a confirmation link to verify your subscription.");
    const pending = await send().expect(409);
    expect(pending.body).toMatchObject({ code: 'confirmation_pending' });
    expect(pending.body.error).toContain('confirmation email has already been sent');
    const token = await confirmToken(email);
    expect((await send().expect(409)).body.code).toBe('confirmation_pending');
    await query(`update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`, [email]);
    await query(`update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [list]);
    await send().expect(200);
    const newer = await confirmToken(email, 2);
    expect((await confirm(token)).status).toBe(404);
    await confirm(newer).expect(200);
    const done = await send().expect(409);
    expect(done.body).toMatchObject({ code: 'already_subscribed' });
    expect(done.body.error).toContain('already subscribed to this list');
  });

  it('joins the network without a list, and refuses what is wrong', async () => {
    const email = address();
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'candidate-lists' }).expect(200);
    const [row] = await query<{ is_default: boolean }>('select l.is_default from subscriptions c join email_lists l on l.id = c.email_list_id where c.email_norm = ?', [email]);
    expect(row!.is_default).toBe(true);
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: 'nonsense' }).expect(404);
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: '00000000-0000-4000-8000-000000000000' }).expect(404);
    expect((await app.http().post('/api/subscribe').send({ email: 'x', subscriptionType: 'job-posts' }).expect(400)).body.message).toBe('Please enter a valid email address');
    expect((await app.http().post('/api/subscribe').send({ email, subscriptionType: 'x' }).expect(400)).body.message).toBe('Please select a subscription type');
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', confirmed: true }).expect(400);
  });
});

describe('unsubscribe', () => {
  it('takes the address off all lists of the owner, once, and stays so when it is added again', async () => {
    const [one, two] = [await newList(), await newList()];
    const contact = await confirmed(one);
    const elsewhere = await confirmed(two, contact.email);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        n % 2
          ? app.http().post(`/unsubscribe/${contact.token}`).type('form').send('List-Unsubscribe=One-Click')
          : app.http().post(`/unsubscribe/${contact.token}`).set('Origin', 'https://evil.example').set('Sec-Fetch-Site', 'cross-site').field('List-Unsubscribe', 'One-Click'),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(answer.headers['set-cookie']).toBeUndefined();
      expect(answer.body).toEqual({ message: expect.any(String), email: contact.email });
    }
    expect(await query(`select id from consent_events where address_hash = sha256(?::bytea) and kind = 'withdrawn'`, [contact.email])).toHaveLength(1);
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
    expect((await state(elsewhere.id)).suppressed).toBe('unsubscribed');
    expect(await recipients(ann, [one, two])).toEqual([]);
    const { body: list } = await ann.agent.get(`/api/email-lists/${one}`).expect(200);
    expect(list.contactCount).toBe(0);
    for (const id of [one, await newList()]) {
      const refused = await ann.agent.post(`/api/email-lists/${id}/subscribers`).send({ email: contact.email.toUpperCase() }).expect(409);
      expect(refused.body.code).toBe('suppressed');
    }
    await add(await newList(bob), contact.email, bob);
  });

  it('by GET acts for programs only, and says the same twice', async () => {
    const contact = await confirmed(await newList());
    const path = `/api/unsubscribe/${contact.token}`;
    await app.http().head(path).expect(200);
    await app.http().get(`/unsubscribe/${contact.token}`).set('Accept', 'text/html');
    for (const headers of [{ 'Sec-Fetch-Mode': 'navigate' }, { 'Sec-Purpose': 'prefetch;prerender' }, { Accept: 'text/html' }]) await app.http().get(path).set(headers as never).expect(200);
    expect((await state(contact.id)).suppressed).toBeNull();
    const first = await app.http().get(path).expect(200);
    expect(first.headers['cache-control']).toContain('no-store');
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
    expect((await app.http().get(path).expect(200)).body).toEqual(first.body);
  });

  it('answers unknown and malformed links alike', async () => {
    const bodies = new Set<string>();
    for (const token of ['x', 'a'.repeat(43), 'z'.repeat(10_000), '%25']) {
      for (const call of [app.http().get(`/api/unsubscribe/${token}`), app.http().post(`/api/unsubscribe/${token}`), app.http().post(`/unsubscribe/${token}`)]) {
        const answer = await call.expect(404);
        bodies.add(JSON.stringify(answer.body));
      }
    }
    expect([...bodies]).toEqual([JSON.stringify({ statusCode: 404, code: 'not_found', message: 'Invalid unsubscribe link', error: 'Invalid unsubscribe link' })]);
  });

  it('links outlive contact, address and list', async () => {
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

  it('can be taken back for ten minutes', async () => {
    const contact = await confirmed(await newList());
    await app.http().post(`/api/unsubscribe/${contact.token}`).expect(200);
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(200);
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(200);
    expect(await state(contact.id)).toMatchObject({ confirmed: true, suppressed: null });
    await app.http().post(`/api/unsubscribe/${contact.token}`).expect(200);
    await query(`update suppressions set created_at = now() - interval '11 minutes' where address_hash = sha256(?::bytea)`, [contact.email]);
    await app.http().post(`/api/unsubscribe/${contact.token}/undo`).expect(410);
    expect((await state(contact.id)).suppressed).toBe('unsubscribed');
  });

  it('of everything reaches every sender; nobody can have the address asked again', async () => {
    const [mine, others] = [await newList(), await newList(bob)];
    const contact = await confirmed(mine);
    await confirmed(others, contact.email, bob);
    await app.http().post(`/api/unsubscribe/${contact.token}/all`).expect(200);
    expect(await recipients(bob, [others])).toEqual([]);
    for (const mail of app.mails.to(contact.email)) expect((await confirm(tokenIn(mail.text))).body.code).toBe('token_expired');
    await query(`update system_mails set created_at = created_at - interval '25 hours'`);
    const subscribe = (email: string) => app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts', emailListId: mine });
    const probe = address();
    const { body } = await subscribe(contact.email).expect(200);
    expect((await subscribe(probe).expect(200)).body).toEqual(body);
    await app.mails.waitFor(probe);
    expect((await subscribe(contact.email)).body).toEqual((await subscribe(probe)).body);
    expect(app.mails.to(contact.email)).toHaveLength(2);
    expect(await state(contact.id)).toMatchObject({ confirmed: true, suppressed: 'unsubscribed' });
    expect([await recipients(ann, [mine]), await recipients(bob, [others])]).toEqual([[], []]);
  });

  it('from the network reaches the network of all senders', async () => {
    const email = address();
    await app.http().post('/api/subscribe').send({ email, subscriptionType: 'job-posts' }).expect(200);
    await confirm(await confirmToken(email)).expect(200);
    const [row] = await query<{ unsubscribe_token: string; email_list_id: string }>('select unsubscribe_token, email_list_id from subscriptions where email_norm = ?', [email]);
    expect(await recipients(bob, [row!.email_list_id])).toContain(email);
    await app.http().post(`/unsubscribe/${row!.unsubscribe_token}`).expect(200);
    for (const user of [ann, bob]) expect(await recipients(user, [row!.email_list_id])).not.toContain(email);
    await admin.agent.post(`/api/email-lists/${row!.email_list_id}/subscribers`).send({ email }).expect(409);
  });
});

describe('audience', () => {
  it('counts each address once and says what it left out', async () => {
    const [one, two] = [await newList(), await newList()];
    const twice = await confirmed(one);
    await confirmed(two, twice.email);
    await add(one);
    const left = await confirmed(one);
    await app.http().post(`/unsubscribe/${left.token}`).expect(200);
    const other = await confirmed(two);
    await query(`update subscriptions set subscription_type = 'candidate-lists' where id = ?`, [other.id]);
    expect(await app.get(Audience).preview(ann, [one, two], 'job-post')).toEqual({ recipientCount: 1, excluded: { pending: 1, otherType: 1, suppressed: 1, duplicates: 1 } });
    expect(await recipients(ann, [one, two])).toEqual([twice.email]);
    const asked = [twice.id, left.id, '00000000-0000-4000-8000-000000000000'];
    const { sql, params } = app.get(Audience).recheckSql('in (select value::uuid from jsonb_array_elements_text(?::jsonb))', ann.id);
    const { mailable, skipped } = app.get(Audience).rechecked(await rows<RecheckedContact>(app.em(), sql, [...params, JSON.stringify(asked)]), asked, ann.id);
    expect([...mailable.keys()]).toEqual([twice.id]);
    expect(skipped.get(left.id)).toBe('unsubscribed');
    expect(skipped.get('00000000-0000-4000-8000-000000000000')).toBe('deleted');
    expect(await app.get(Lists).findSendable(bob, [one])).toBeNull();
  });
});
