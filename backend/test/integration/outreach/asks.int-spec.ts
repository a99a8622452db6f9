import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Suppressions } from '../../../src/modules/lists/index.js';
import { hashAddress } from '../../../src/shared/mail/address.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { linkIn } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { add, daysLater, importLines, newList, query, settled, subscribe } from './support.js';

let app: TestApp;
let ann: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_OUTREACH_BUDGET: '1000' } });
  ann = await app.user({ firstName: 'Ann', lastName: 'Kumar' });
});
afterAll(() => app.close());

let serial = 0;
const person = (word = 'v') => `${word}${(serial += 1)}@asked.example`;
const confirm = (token: string) => app.http().get(`/api/subscribe/confirm/${token}`).set('Accept', 'application/json');
const tokenOf = (text: string) => /\/subscribe\/confirmed\?token=([\w-]{43})/.exec(text)![1]!;
const contactOf = async (email: string, list?: string) =>
  (await query<{ id: string; confirmed: boolean; subscription_type: string; source: string; suppressed: string | null; consent: object | null }>(
    app, `select id, confirmed, subscription_type, source, suppressed, consent from subscriptions where email_norm = ? and (?::uuid is null or email_list_id = ?)`, [email, list ?? null, list ?? null],
  ))[0]!;
/** On a list of its own, confirmed by its link. */
async function member(email = person()) {
  const { id: list } = await newList(ann);
  await subscribe(app, { email, emailListId: list }).expect(200);
  await confirm(tokenOf((await app.mails.waitFor(email)).at(-1)!.text)).expect(200);
  const [{ token }] = (await query<{ token: string }>(app, `select unsubscribe_token as token from subscriptions where email_norm = ?`, [email])) as [{ token: string }];
  return { email, list, token };
}

describe('what a confirmation mail says', () => {
  it('has a subject of ours alone, people’s words harmless and quoted, the account’s name and address, and a way out', async () => {
    const { id } = await newList(ann, {
      name: 'URGENT: your invoice is overdue, pay now at https://evil.example/pay or call +1 555 010 2030', ownerName: 'DHL www.evil.example', agencyName: 'evil.example',
    });
    for (const [email, bring] of [[person(), (to: string) => add(ann, id, to).expect(201)], [person(), (to: string) => subscribe(app, { email: to, emailListId: id }).expect(200)]] as const) {
      await bring(email);
      const mail = (await app.mails.waitFor(email))[0]!;
      expect(mail.subject).toBe('Confirm your subscription');
      const links = mail.text.match(/https?:\/\/\S+/g)!;
      expect(links.map((link) => new URL(link).pathname.replace(/[\w-]{43}/, 'T'))).toEqual(['/subscribe/confirmed', '/never-ask/T']);
      expect(mail.text).toMatch(/^http:\/\/staffcast\.test\/subscribe\/confirmed\?token=[\w-]{43}$/m);
      for (const part of [mail.text, mail.html]) {
        expect(part).toContain(`Ann Kumar (${ann.email})`);
        expect(part).toContain('1 Test Street, Springfield');
        expect(part).toContain('“URGENT: your invoice is overdue, pay now at [link] or call [number]”');
        expect(part).not.toMatch(/evil\.example|555|www\./);
      }
      expect(mail.headers.get('auto-submitted')).toBe('auto-generated');
      expect(mail.raw).toMatch(/^List-Unsubscribe: <http:\/\/staffcast\.test\/never-ask\/[\w-]{43}>\r?$/m);
      expect(mail.raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m);
    }
  });

  it('shows nothing hidden in a name from before the rule, and new names hold nothing', async () => {
    const { id, slug } = await newList(ann);
    await query(app, `update email_lists set name = ? where id = ?`, ['a\u202eexe.moc\u200b', id]);
    const email = person();
    await subscribe(app, { email, emailListId: id }).expect(200);
    expect((await app.mails.waitFor(email))[0]!.text).toContain('“aexe .moc”');
    expect((await app.http().get(`/api/email-lists/slug/${slug}`).expect(200)).body.name).toBe('aexe.moc');
    for (const field of ['name', 'ownerName', 'agencyName']) {
      for (const mark of ['\u202e', '\u2066', '\u200b', '\u200f', '\ufeff']) {
        const { body } = await ann.agent.post('/api/email-lists').send({ name: 'Java', [field]: `a${mark}b` }).expect(400);
        expect(body.message).toBe(`${field} must be one line of text without invisible characters`);
      }
    }
  });

  it('leaves the name out of the registration mail, and takes no link, number or mark as a name', async () => {
    const user = await app.user({ firstName: 'Zebulon', lastName: 'Quux' });
    const [mail] = await app.mails.waitFor(user.email);
    expect(mail!.raw).not.toMatch(/Zebulon|Quux/);
    const register = (firstName: string) => app.http().post('/api/auth/register').send({ email: person('r'), password: 'correct horse battery', firstName, lastName: 'X', role: 'recruiter' });
    for (const name of ['pay at https://evil.example/x', 'www.evil.example', 'a/b', 'call 555 0100', 'a\u202eb', 'a\u200bb']) await register(name).expect(400);
    for (const name of ['John 3rd', 'Ann-Marie O’Neill', 'x'.repeat(100), 'Louis XIV. 123']) await register(name).expect(201);
  });
});

describe('never ask me again', () => {
  it.each(['page', 'one-click'])('acts by a POST alone (%s), reaches the mailbox behind the address, and every sender', async (how) => {
    const name = `nora${(serial += 1)}`;
    const { email, list } = await member(`${name}@gmail.com`);
    const link = linkIn(app.mails.to(email)[0]!, '/never-ask/');
    const page = await app.http().get(link.pathname).set('Accept', 'text/html').expect(200);
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' });
    expect(await query(app, `select 1 from referral_opt_outs where opted_out_at is not null and address_hash = ?`, [hashAddress(email)])).toEqual([]);
    const act = () => (how === 'page' ? app.http().post(`/api${link.pathname}`) : app.http().post(link.pathname).set('Origin', 'https://mail.example').set('Sec-Fetch-Site', 'cross-site').type('form').send('List-Unsubscribe=One-Click'));
    for (let n = 0; n < 2; n += 1) {
      const answer = await act().expect(200);
      expect(answer.body).toEqual({ message: 'You will not be asked again, and all senders have stopped.' });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(await query(app, `select scope, reason from suppressions where address_hash = ?`, [hashAddress(email)])).toEqual([{ scope: 'all', reason: 'unsubscribed' }]);
    expect(await contactOf(email, list)).toMatchObject({ suppressed: 'unsubscribed' });
    await daysLater(app, 40);
    const before = app.mails.all.length;
    for (const alias of [email, `${name}+1@gmail.com`, `n.${name.slice(1)}@googlemail.com`]) {
      for (const target of [list, (await newList(ann)).id, undefined]) expect([200, 409]).toContain((await subscribe(app, { email: alias, emailListId: target })).status);
      await add(ann, (await newList(ann)).id, alias);
      await (await app.user()).agent.post('/api/referrals/invite').send({ inviteeEmail: alias }).expect(201);
    }
    await settled(app);
    expect(app.mails.all.slice(before).filter(({ to }) => to[0]!.replaceAll('.', '').startsWith(name))).toEqual([]);
  });

  it('knows no other token', async () => {
    const email = person();
    await subscribe(app, { email }).expect(200);
    const token = tokenOf((await app.mails.waitFor(email))[0]!.text);
    for (const wrong of [token, 'x', 'y'.repeat(43)]) {
      for (const path of ['/api/never-ask/', '/never-ask/']) expect((await app.http().post(path + wrong).expect(404)).body.code).toBe('token_invalid');
    }
  });
});

describe('people who do not want to be asked', () => {
  it.each(['all', 'complained', 'bounced'])('are asked by nobody (%s), and the form answers as ever', async (why) => {
    const { email, list } = await member();
    await daysLater(app, 1);
    const before = await contactOf(email, list);
    await app.em().transactional(async (em) => {
      await app.get(Suppressions).add(em, { scope: why === 'all' ? 'all' : 'owner', ownerId: why === 'all' ? null : ann.id, addressHash: hashAddress(email), addressNorm: email, reason: why === 'all' ? 'unsubscribed' : (why as 'bounced') });
    });
    const [other, probe] = [(await newList(await app.user())).id, person()];
    for (const emailListId of [list, other, undefined]) {
      const [first, second] = [await subscribe(app, { email, emailListId }), await subscribe(app, { email, emailListId })];
      const [asked, again] = [await subscribe(app, { email: probe, emailListId }), await subscribe(app, { email: probe, emailListId })];
      expect([first.status, first.body, second.status, second.body]).toEqual([asked.status, asked.body, again.status, again.body]);
    }
    expect((await add(ann, list, email)).status).toBe(409);
    await settled(app);
    expect(app.mails.to(email)).toHaveLength(1);
    expect(await contactOf(email, list)).toMatchObject({ confirmed: true, consent: before.consent, subscription_type: 'job-posts', source: before.source });
  });

  it('and left one sender are asked once in 30 days to come back, also under an alias', async () => {
    const name = `left${(serial += 1)}`;
    const { email, list, token } = await member(`${name}@asked.example`);
    await app.http().post(`/unsubscribe/${token}`).expect(200);
    await daysLater(app, 1);
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    await subscribe(app, { email, emailListId: list }).expect(200);
    await app.mails.waitFor(email, 2);
    const other = (await newList(ann)).id;
    for (let day = 0; day < 3; day += 1) {
      await daysLater(app, 1);
      await subscribe(app, { email, emailListId: list }).expect(200);
      await subscribe(app, { email: `${name}+${day}@asked.example`, emailListId: other }).expect(200);
      await settled(app);
      expect(mails()).toBe(2);
    }
    await daysLater(app, 28);
    await subscribe(app, { email, emailListId: list }).expect(200);
    await app.mails.waitFor(email, 3);
    await confirm(tokenOf(app.mails.to(email)[2]!.text)).expect(200);
    expect(await contactOf(email, list)).toMatchObject({ confirmed: true, suppressed: null });
  });

  it('are asked by one owner twice for one list at most, however the contact comes and goes', async () => {
    const owner = await app.user({ email: `owner${(serial += 1)}@own.test` });
    const name = `twice${serial}`;
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    let { id: list } = await newList(owner);
    const again = async (email: string) => {
      const { body } = await add(owner, list, email).expect(201);
      await settled(app);
      await daysLater(app, 2);
      return body.id as string;
    };
    const first = await again(`${name}@asked.example`);
    expect(mails()).toBe(1);
    await owner.agent.delete(`/api/email-lists/${list}/subscribers/${first}`).expect(204);
    const second = await again(`${name}+x@asked.example`);
    expect(mails()).toBe(2);
    expect((await owner.agent.post(`/api/email-lists/${list}/subscribers/${second}/resend-confirmation`).expect(409)).body.code).toBe('already_resent');
    await owner.agent.delete(`/api/email-lists/${list}/subscribers/${second}`).expect(204);
    await again(`${name}@asked.example`);
    await importLines(owner, list, [`${name}+y@asked.example`, `${name}+z@asked.example`]);
    await owner.agent.delete(`/api/email-lists/${list}`).expect(204);
    list = (await newList(owner)).id;
    await again(`${name}@asked.example`);
    await query(app, `delete from users where id = ?`, [owner.id]);
    const reborn = await app.user({ email: owner.email });
    list = (await newList(reborn)).id;
    await add(reborn, list, `${name}@asked.example`).expect(201);
    await settled(app);
    expect(mails()).toBe(2);
    await subscribe(app, { email: `${name}@asked.example`, emailListId: list }).expect(200);
    await app.mails.waitFor(`${name}@asked.example`, 2);
    await settled(app);
    expect(mails()).toBe(3);
  });

  it('are asked by one owner three times in 30 days over all lists, and six times together with requests on the owner’s pages', async () => {
    const owner = await app.user();
    const name = `many${(serial += 1)}`;
    const mails = () => app.mails.all.filter(({ to }) => to[0]!.startsWith(name)).length;
    const aliases = ['', '+a', '+b'];
    const ownDays: number[] = [];
    for (let day = 0; day < 7; day += 1) {
      for (const alias of aliases) await add(owner, (await newList(owner)).id, `${name}${alias}@asked.example`).expect(201);
      await settled(app);
      ownDays.push(mails());
      await daysLater(app, 1);
    }
    expect(ownDays).toEqual([3, 3, 3, 3, 3, 3, 3]);
    const { body: contact } = await add(owner, (await newList(owner)).id, `${name}@asked.example`).expect(201);
    const list = (await query<{ id: string }>(app, `select email_list_id as id from subscriptions where id = ?`, [contact.id]))[0]!.id;
    expect((await owner.agent.post(`/api/email-lists/${list}/subscribers/${contact.id}/resend-confirmation`).expect(409)).body).toMatchObject({ code: 'already_resent', message: expect.stringContaining('three times in 30 days') });
    for (let day = 0; day < 7; day += 1) {
      for (const alias of aliases) await subscribe(app, { email: `${name}${alias}@asked.example`, emailListId: (await newList(owner)).id }).expect(200);
      await settled(app);
      await daysLater(app, 1);
    }
    expect(mails()).toBe(6);
    // Another owner has not asked yet.
    await add(ann, (await newList(ann)).id, `${name}@asked.example`).expect(201);
    await settled(app);
    expect(mails()).toBe(7);
    // What waits goes out when the 30 days are over.
    await daysLater(app, 30);
    await settled(app);
    expect(mails()).toBe(10);
  });

  it('get three mails a day whatever tags and dots are added', async () => {
    const [list, name] = [(await newList(ann)).id, `bomb${(serial += 1)}`];
    await importLines(ann, list, Array.from({ length: 20 }, (_, n) => `${name}+${n}@asked.example`));
    for (let n = 0; n < 20; n += 1) await subscribe(app, { email: `${name}+p${n}@asked.example`, emailListId: (await newList(ann)).id }).expect(200);
    await settled(app);
    expect(app.mails.all.filter(({ to }) => to[0]!.startsWith(name))).toHaveLength(3);
  });
});

describe('consent', () => {
  it('is for what that mail said: a stranger’s later post changes neither type nor source', async () => {
    const [{ id: list }, email] = [await newList(ann), person()];
    await add(ann, list, email).expect(201);
    const [mail] = await app.mails.waitFor(email);
    expect(mail!.text).toContain('job posts');
    await query(app, `update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`, [email]);
    await subscribe(app, { email, emailListId: list, subscriptionType: 'candidate-lists' }).expect(200);
    expect(await contactOf(email)).toMatchObject({ subscription_type: 'job-posts', source: 'owner' });
    await confirm(tokenOf(mail!.text)).expect(200);
    expect(await contactOf(email)).toMatchObject({ confirmed: true, subscription_type: 'job-posts', source: 'owner' });
    const [event] = await query<{ details: object }>(app, `select details from consent_events where address_norm = ? and kind = 'confirmed'`, [email]);
    expect(event!.details).toMatchObject({ subscriptionType: 'job-posts' });
  });

  it('is for the other type once the mail that said so is confirmed', async () => {
    const [{ id: list }, email] = [await newList(ann), person()];
    await add(ann, list, email).expect(201);
    await app.mails.waitFor(email);
    await query(app, `update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`, [email]);
    await query(app, `update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [list]);
    await subscribe(app, { email, emailListId: list, subscriptionType: 'candidate-lists' }).expect(200);
    const newer = (await app.mails.waitFor(email, 2))[1]!;
    expect(newer.text).toContain('lists of available candidates');
    await confirm(tokenOf(newer.text)).expect(200);
    expect(await contactOf(email)).toMatchObject({ confirmed: true, subscription_type: 'candidate-lists', source: 'public' });
  });
});
