import { describe, expect, it } from '@jest/globals';
import { hashAddress } from '../../../src/shared/mail/address.js';
import { linkIn } from '../../kit/mail-catcher.js';
import { add, daysLater, newList, query, settled, subscribe } from './support.js';
import { app, ann, nextSerial, person, confirm, tokenOf, contactOf, member } from './asks-support.js';

describe('the text of a confirmation mail', () => {
  it("has a fixed subject, harmless quoted user text, the account's name and address, and an opt-out link", async () => {
    const { id } = await newList(ann, { agencyName: 'evil.example' });
    // These names are from a time when names with addresses were not refused yet.
    await query(app, `update email_lists set name = ?, owner_name = ? where id = ?`, [
      'URGENT: your invoice is overdue, pay now at https://evil.example/pay or call +1 555 010 2030',
      'DHL www.evil.example',
      id,
    ]);
    for (const [email, bring] of [
      [person(), (to: string) => add(ann, id, to).expect(201)],
      [person(), (to: string) => subscribe(app, { email: to, emailListId: id }).expect(200)],
    ] as const) {
      await bring(email);
      const mail = (await app.mails.waitFor(email))[0]!;
      expect(mail.subject).toBe('Confirm your subscription');
      const links = mail.text.match(/https?:\/\/\S+/g)!;
      expect(links.map((link) => new URL(link).pathname.replace(/[\w-]{43}/, 'T'))).toEqual([
        '/subscribe/confirmed',
        '/never-ask/T',
      ]);
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

  it.each(['pay at https://evil.example/x', 'www.evil.example', 'Vendors of evil.co', 'write to ceo@bank.com'])(
    'cannot name %j: a list is not called so, at first or later',
    async (name) => {
      const { id } = await newList(ann);
      for (const call of [
        ann.agent.post('/api/email-lists').send({ name }),
        ann.agent.post('/api/email-lists').send({ name: 'Java', ownerName: name }),
        ann.agent.patch(`/api/email-lists/${id}`).send({ name }),
      ]) {
        const { body } = await call.expect(400);
        expect(body.message).toMatch(/^(name|ownerName) must not contain a web or email address/);
      }
    },
  );

  it('shows no hidden text in an earlier name, and new names cannot contain any', async () => {
    const { id, slug } = await newList(ann);
    await query(app, `update email_lists set name = ? where id = ?`, ['a\u202eexe.moc\u200b', id]);
    const email = person();
    await subscribe(app, { email, emailListId: id }).expect(200);
    expect((await app.mails.waitFor(email))[0]!.text).toContain('“aexe .moc”');
    expect((await app.http().get(`/api/email-lists/slug/${slug}`).expect(200)).body.name).toBe('aexe.moc');
    for (const field of ['name', 'ownerName', 'agencyName']) {
      for (const mark of ['\u202e', '\u2066', '\u200b', '\u200f', '\ufeff']) {
        const { body } = await ann.agent
          .post('/api/email-lists')
          .send({ name: 'Java', [field]: `a${mark}b` })
          .expect(400);
        expect(body.message).toBe(`${field} must be one line of text without invisible characters`);
      }
    }
  });

  it('leaves the name out of the registration mail, and refuses names with links, numbers or marks', async () => {
    const user = await app.user({ firstName: 'Zebulon', lastName: 'Quux' });
    const [mail] = await app.mails.waitFor(user.email);
    expect(mail!.raw).not.toMatch(/Zebulon|Quux/);
    const register = (firstName: string) =>
      app
        .http()
        .post('/api/auth/register')
        .send({ email: person('r'), password: 'correct horse battery', firstName, lastName: 'X', role: 'recruiter' });
    for (const name of [
      'pay at https://evil.example/x',
      'www.evil.example',
      'a/b',
      'call 555 0100',
      'a\u202eb',
      'a\u200bb',
    ])
      await register(name).expect(400);
    for (const name of ['John 3rd', 'Ann-Marie O’Neill', 'x'.repeat(100), 'Louis XIV. 123'])
      await register(name).expect(201);
  });
});

describe('the link "Never ask me again"', () => {
  it.each(['page', 'one-click'])('acts on POST only (%s), for the whole mailbox and every sender', async (how) => {
    const name = `nora${nextSerial()}`;
    const { email, list } = await member(`${name}@gmail.com`);
    const link = linkIn(app.mails.to(email)[0]!, '/never-ask/');
    const page = await app.http().get(link.pathname).set('Accept', 'text/html').expect(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(
      await query(app, `select 1 from referral_opt_outs where opted_out_at is not null and address_hash = ?`, [
        hashAddress(email),
      ]),
    ).toEqual([]);
    const act = () =>
      how === 'page'
        ? app.http().post(`/api${link.pathname}`)
        : app
            .http()
            .post(link.pathname)
            .set('Origin', 'https://mail.example')
            .set('Sec-Fetch-Site', 'cross-site')
            .type('form')
            .send('List-Unsubscribe=One-Click');
    for (let n = 0; n < 2; n += 1) {
      const answer = await act().expect(200);
      expect(answer.body).toEqual({ message: 'You will not be asked again, and all senders have stopped.' });
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
    expect(
      await query(app, `select scope, reason from suppressions where address_hash = ?`, [hashAddress(email)]),
    ).toEqual([{ scope: 'all', reason: 'unsubscribed' }]);
    expect(await contactOf(email, list)).toMatchObject({ suppressed: 'unsubscribed' });
    await daysLater(app, 40);
    const before = app.mails.all.length;
    for (const alias of [email, `${name}+1@gmail.com`, `n.${name.slice(1)}@googlemail.com`]) {
      for (const target of [list, (await newList(ann)).id, undefined])
        expect([200, 409]).toContain((await subscribe(app, { email: alias, emailListId: target })).status);
      await add(ann, (await newList(ann)).id, alias);
      await (await app.user()).agent.post('/api/referrals/invite').send({ inviteeEmail: alias }).expect(201);
    }
    await settled(app);
    expect(app.mails.all.slice(before).filter(({ to }) => to[0]!.replaceAll('.', '').startsWith(name))).toEqual([]);
  });

  it('refuses any other token', async () => {
    const email = person();
    await subscribe(app, { email }).expect(200);
    const token = tokenOf((await app.mails.waitFor(email))[0]!.text);
    for (const wrong of [token, 'x', 'y'.repeat(43)]) {
      for (const path of ['/api/never-ask/', '/never-ask/'])
        expect(
          (
            await app
              .http()
              .post(path + wrong)
              .expect(404)
          ).body.code,
        ).toBe('token_invalid');
    }
  });
});

describe('consent', () => {
  it('covers what the mail offered: a later post by someone else changes neither type nor source', async () => {
    const [{ id: list }, email] = [await newList(ann), person()];
    await add(ann, list, email).expect(201);
    const [mail] = await app.mails.waitFor(email);
    expect(mail!.text).toContain('job posts');
    await query(
      app,
      `update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`,
      [email],
    );
    await subscribe(app, { email, emailListId: list, subscriptionType: 'candidate-lists' }).expect(200);
    expect(await contactOf(email)).toMatchObject({ subscription_type: 'job-posts', source: 'owner' });
    await confirm(tokenOf(mail!.text)).expect(200);
    expect(await contactOf(email)).toMatchObject({ confirmed: true, subscription_type: 'job-posts', source: 'owner' });
    const [event] = await query<{ details: object }>(
      app,
      `select details from consent_events where address_norm = ? and kind = 'confirmed'`,
      [email],
    );
    expect(event!.details).toMatchObject({ subscriptionType: 'job-posts' });
  });

  it('changes the type once a mail that offers it is confirmed', async () => {
    const [{ id: list }, email] = [await newList(ann), person()];
    await add(ann, list, email).expect(201);
    await app.mails.waitFor(email);
    await query(
      app,
      `update subscriptions set confirmation_sent_at = now() - interval '11 minutes' where email_norm = ?`,
      [email],
    );
    await query(app, `update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [
      list,
    ]);
    await subscribe(app, { email, emailListId: list, subscriptionType: 'candidate-lists' }).expect(200);
    const newer = (await app.mails.waitFor(email, 2))[1]!;
    expect(newer.text).toContain('lists of available candidates');
    await confirm(tokenOf(newer.text)).expect(200);
    expect(await contactOf(email)).toMatchObject({
      confirmed: true,
      subscription_type: 'candidate-lists',
      source: 'public',
    });
  });
});
