import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { addTo, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = await Promise.all([app.user(), app.user()]);
});
afterAll(() => app.close());

const post = (body: object, user = ann) => user.agent.post('/api/do-not-send').send(body);
const add = async (body: object, user = ann) => (await post(body, user).expect(201)).body;
const list = async (query = '', user = ann) =>
  (await user.agent.get(`/api/do-not-send?limit=50${query}`).expect(200)).body;
const people = async (user: SignedUp, domain: string, count: number) =>
  sql(
    `insert into contact_profiles (owner_id, email, email_norm, email_hash, company_domain, source)
     select ?::uuid, e, e, sha256(e::bytea), ?::text, 'owner' from (select 'x' || n || '@' || ? as e from generate_series(1, ?::int) n) a`,
    [user.id, domain === 'gmail.com' ? null : domain, domain, count],
  );

describe('a do-not-send rule', () => {
  it('covers an address, or a domain with everything below it, and exists once, however it is typed', async () => {
    await newContact(ann, { email: 'a@client.example' });
    await newContact(ann, { email: 'b@mail.client.example' });
    await newContact(ann, { email: 'c@notclient.example' });
    const rule = await add({ value: 'https://Client.example./jobs', reason: 'end_client', note: ' Placement runs ' });
    expect(rule).toEqual({
      id: expect.any(String),
      kind: 'domain',
      value: 'client.example',
      reason: 'end_client',
      note: 'Placement runs',
      until: null,
      createdAt: expect.any(String),
      matches: 2,
    });
    for (const twin of ['client.example', '@CLIENT.EXAMPLE', 'www.client.example'])
      expect((await post({ value: twin, reason: 'other' }).expect(409)).body.code).toBe('rule_exists');
    const below = await add({ value: 'mail.client.example', reason: 'competitor' });
    expect(below).toMatchObject({ value: 'mail.client.example', matches: 1 });
    const person = await add({ value: 'C@notclient.example', reason: 'present_employer' });
    expect(person).toMatchObject({ kind: 'address', value: 'c@notclient.example', matches: 1 });
    expect((await list('&search=client&sort=value')).map(({ value }: { value: string }) => value)).toEqual([
      'c@notclient.example',
      'client.example',
      'mail.client.example',
    ]);
    expect(await list('&reason=competitor')).toMatchObject([{ value: 'mail.client.example' }]);
  });

  it('is refused with one clear text where it is neither an address nor a domain', async () => {
    for (const value of ['co.uk', 'client', '*.client.example', '', 'two words', '192.0.2.1']) {
      const { body } = await post({ value, reason: 'other' }).expect(400);
      expect(body).toMatchObject({
        code: 'validation_failed',
        details: [{ field: 'value', message: 'Enter an address or a domain' }],
      });
    }
    await post({ value: 'x.example', reason: 'because' }).expect(400);
    await post({ value: 'x.example', reason: 'other', kind: 'domain' }).expect(400);
    await post({ value: 'x.example', reason: 'other', until: '2020-01-01' }).expect(400);
    await post({ value: 'x.example', reason: 'other', until: 'soon' }).expect(400);
  });

  it('needs a confirmation where it covers a free-mail domain or very many contacts', async () => {
    const carl = await app.user();
    await people(carl, 'gmail.com', 12);
    const { body } = await post({ value: 'gmail.com', reason: 'other' }, carl).expect(409);
    expect(body).toMatchObject({
      code: 'broad_rule',
      message: 'This blocks all 12 of your contacts at gmail.com. Send it again with confirm to go ahead.',
    });
    expect(await list('', carl)).toEqual([]);
    expect(await add({ value: 'gmail.com', reason: 'other', confirm: true }, carl)).toMatchObject({ matches: 12 });
    await people(carl, 'large.example', 1_000);
    expect((await post({ value: 'large.example', reason: 'other' }, carl).expect(409)).body.message).toBe(
      'This blocks all 1,000 of your contacts at large.example. Send it again with confirm to go ahead.',
    );
  });

  it('can be changed and deleted by its owner only, and can expire', async () => {
    const rule = await add({ value: 'ends.example', reason: 'other', until: '2099-03-31' });
    expect(rule.until).toBe('2099-03-31T23:59:59.999Z');
    const path = `/api/do-not-send/${rule.id}`;
    await bob.agent.patch(path).send({ reason: 'competitor' }).expect(404);
    await bob.agent.delete(path).expect(404);
    await ann.agent.patch('/api/do-not-send/x').send({}).expect(404);
    const { body } = await ann.agent.patch(path).send({ reason: 'competitor', note: 'Rival' }).expect(200);
    expect(body).toMatchObject({ reason: 'competitor', note: 'Rival', until: rule.until });
    expect((await ann.agent.patch(path).send({ until: null }).expect(200)).body).toMatchObject({
      until: null,
      note: 'Rival',
    });
    await ann.agent.patch(path).send({ reason: 'asked_to_stop' }).expect(400);
    await sql(`update do_not_send_rules set expires_at = now() where id = ?`, [rule.id]);
    expect(await list('&search=ends')).toEqual([]);
    // A rule that has ended does not prevent adding the same rule again.
    const anew = await add({ value: 'ends.example', reason: 'other' });
    await ann.agent.delete(`/api/do-not-send/${anew.id}`).expect(204);
    await ann.agent.delete(`/api/do-not-send/${anew.id}`).expect(404);
  });

  it('is shown on the page of every contact that it covers', async () => {
    const { id } = await newContact(ann, { email: 'd@jobs.shown.example' });
    await add({ value: 'shown.example', reason: 'end_client' });
    await add({ value: 'jobs.shown.example', reason: 'competitor' });
    const detail = async () => (await ann.agent.get(`/api/contacts/${id}`).expect(200)).body.doNotSend;
    expect(await detail()).toMatchObject({ kind: 'domain', value: 'jobs.shown.example', reason: 'competitor' });
    await add({ value: 'd@jobs.shown.example', reason: 'other' });
    expect(await detail()).toMatchObject({ kind: 'address', reason: 'other', until: null });
  });

  it("for the account's own agency is suggested until it exists", async () => {
    const dana = await app.user({ email: `dana${Date.now()}@agency.example` });
    const suggestion = async () => (await dana.agent.get('/api/do-not-send/suggestion').expect(200)).body.value;
    expect(await suggestion()).toBe('agency.example');
    await add({ value: 'agency.example', reason: 'own_agency' }, dana);
    expect(await suggestion()).toBeNull();
  });

  it('is limited to 5,000 an account, also where many are added concurrently', async () => {
    const eve = await app.user();
    await sql(
      `insert into do_not_send_rules (owner_id, kind, value, company_domain, reason)
       select ?::uuid, 'domain', 'r' || n || '.example', 'r' || n || '.example', 'other' from generate_series(1, 4998) n`,
      [eve.id],
    );
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((name) => post({ value: `${name}.example`, reason: 'other' }, eve)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.message).toBe(
      'An account can have at most 5,000 do-not-send rules',
    );
    const { body } = await eve.agent.post('/api/do-not-send/bulk').send({ text: 'e.example\nr7.example' }).expect(200);
    expect(body).toMatchObject({
      added: 0,
      refused: [
        { line: 1, value: 'e.example' },
        { line: 2, value: 'r7.example' },
      ],
    });
  });
});

describe('many rules', () => {
  it('are added line by line, each refused line with its reason, and are all in the export', async () => {
    const fay = await app.user();
    await people(fay, 'gmail.com', 3);
    const text = [
      'value,reason,note,until',
      'client.example,End client,"Placement, until spring",2099-05-01',
      '',
      'https://Rival.example/about\tCompetitor',
      'co.uk',
      'client.example',
      'jane@person.example;asked_to_stop;By phone',
      'person.example;They asked me to stop',
      'gmail.com',
      'old.example,other,,2020-01-01',
      'odd.example,whatever',
    ].join('\r\n');
    const { body } = await fay.agent.post('/api/do-not-send/bulk').send({ text, reason: 'own_agency' }).expect(200);
    expect(body).toEqual({
      added: 2,
      withdrawn: 1,
      refused: [
        { line: 5, value: 'co.uk', reason: 'Enter an address or a domain' },
        { line: 6, value: 'client.example', reason: 'This is on your do-not-send list already' },
        { line: 8, value: 'person.example;', reason: expect.any(String) },
        {
          line: 9,
          value: 'gmail.com',
          reason: 'This blocks all 3 of your contacts at gmail.com. Send it again with confirm to go ahead.',
        },
        { line: 10, value: 'old.example', reason: 'Choose a day that is still to come' },
        { line: 11, value: 'odd.example', reason: 'The reason is not one of those on the list' },
      ].map((one) => ({ ...one, value: one.value.replace(';', '') })),
    });
    expect(await list('&sort=value', fay)).toMatchObject([
      { value: 'client.example', reason: 'end_client', note: 'Placement, until spring' },
      { value: 'rival.example', reason: 'competitor', note: null },
    ]);
    await add({ value: 'formula.example', reason: 'other', note: '=cmd()' }, fay);
    const { text: csv } = await fay.agent.get('/api/do-not-send.csv').expect(200);
    expect(csv.split('\r\n')[0]).toBe('value,reason,note,until,added,contacts');
    expect(csv).toContain(`"'=cmd()"`);
    const gus = await app.user();
    const { body: again } = await gus.agent.post('/api/do-not-send/bulk').send({ text: csv }).expect(200);
    expect(again).toMatchObject({ added: 3, refused: [] });
    await fay.agent
      .post('/api/do-not-send/bulk')
      .send({ text: 'x\n'.repeat(5_001) })
      .expect(400);
  });
});

describe('the reason "They asked me to stop"', () => {
  it('records a withdrawal of consent with evidence, which only the person can take back, and creates no rule', async () => {
    const own = await newList(ann);
    const email = 'jane@stops.example';
    const { profileId } = await addTo(ann, own, { email, subscriptionType: 'job-posts' });
    const answer = await add({ value: `Jane <${email}>`, reason: 'asked_to_stop', note: 'On the phone' });
    expect(answer).toMatchObject({ id: null, kind: 'address', value: email, reason: 'asked_to_stop', matches: 1 });
    expect(await list('&search=stops')).toEqual([]);
    expect(
      await sql(`select scope, reason, owner_id, expires_at from suppressions where address_norm = ?`, [email]),
    ).toEqual([{ scope: 'owner', reason: 'unsubscribed', owner_id: ann.id, expires_at: null }]);
    expect((await ann.agent.get(`/api/contacts/${profileId}`).expect(200)).body.consent).toBe('left');
    const { body: timeline } = await ann.agent.get(`/api/contacts/${profileId}/timeline?kind=consent`).expect(200);
    // Beside it, the mail that asks for consent may be listed: it is made at the same time.
    expect(timeline).toContainEqual(
      expect.objectContaining({
        title: 'Asked you to stop',
        detail: expect.objectContaining({ how: 'owner', details: expect.objectContaining({ note: 'On the phone' }) }),
      }),
    );
    // The account cannot undo the withdrawal.
    expect((await ann.agent.post('/api/contacts').send({ email }).expect(409)).body.code).toBe('suppressed');
    await post({ value: 'stops.example', reason: 'asked_to_stop' }).expect(400);
    await post({ value: email, reason: 'asked_to_stop', until: '2099-01-01' }).expect(400);
    // Adding it twice still counts as one withdrawal.
    await add({ value: email, reason: 'asked_to_stop' });
    expect(await sql(`select 1 from consent_events where address_norm = ? and how = 'owner'`, [email])).toHaveLength(1);
    expect(await sql(`select 1 from suppressions where address_norm = ? and owner_id = ?`, [email, bob.id])).toEqual(
      [],
    );
  });
});

describe('an erasure and an export with do-not-send rules', () => {
  it("an erasure keeps the rule under the address's hash; the export contains it", async () => {
    const { ProfilePersonalData } = await import('../../../src/modules/contacts/index.js');
    const { parseAddress } = await import('../../../src/shared/mail/address.js');
    const { id } = await add({ value: 'gone@erased.example', reason: 'competitor', note: 'Do not call' });
    const records = new ProfilePersonalData();
    const person = parseAddress('gone@erased.example')!;
    expect((await records.export(app.em(), person)).doNotSend).toMatchObject([
      { reason: 'competitor', note: 'Do not call' },
    ]);
    await records.erase(app.em(), person);
    const [rule] = await sql<{ value: string; note: null }>(`select value, note from do_not_send_rules where id = ?`, [
      id,
    ]);
    expect(rule).toEqual({ value: `erased:${person.hash.toString('hex')}`, note: null });
    expect(await list('&search=erased')).toMatchObject([{ id, value: 'an erased address', note: null }]);
    const { SenderRules } = await import('../../../src/modules/contacts/index.js');
    const check = await app.get(SenderRules).of(ann.id);
    expect(check?.('gone@erased.example', false)).toMatch(
      /^On your do-not-send list since \d\d:\d\d: an erased address \(competitor\)$/,
    );
    expect(check?.('other@erased.example', false)).toBeUndefined();
  });
});
