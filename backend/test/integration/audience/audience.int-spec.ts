import { beforeAll, describe, expect, it } from '@jest/globals';
import type { SignedUp } from '../../kit/users.js';
import { seedList, settled } from '../sending/support.js';
import { accepted, app, deliveries, leftOut, post, prepare, preview, PRO, sql } from './support.js';

let ann: SignedUp;
beforeAll(async () => {
  ann = await app.user(PRO);
});

describe('a send with exclusions', () => {
  it('mails every distinct address of its choice once, or records why it was left out', async () => {
    const user = await app.user(PRO);
    const [one, two, clients] = [
      await seedList(app, user, {
        addresses: [
          'a@x.example',
          'b@x.example',
          'c@client.example',
          'd@here.example',
          'e@rule.example',
          'f@x.example',
          'g@x.example',
        ],
      }),
      await seedList(app, user, { addresses: ['b@x.example', 'h@x.example', 'd@here.example'], name: 'Bench' }),
      await seedList(app, user, { addresses: ['c@client.example', 'h@x.example'], name: 'Clients' }),
    ];
    await sql(`update subscriptions set confirmed = false where email_list_id = ? and email_norm = 'f@x.example'`, [
      one.id,
    ]);
    await sql(
      `insert into suppressions (scope, owner_id, reason, address_hash, address_norm) values ('owner', ?, 'unsubscribed', sha256('g@x.example'::bytea), 'g@x.example')`,
      [user.id],
    );
    await prepare(user);
    await user.agent.post('/api/do-not-send').send({ value: 'rule.example', reason: 'end_client' }).expect(201);
    const extra = { excludeListIds: [clients.id], excludeAddresses: ['@Here.example', 'B@x.example'] };
    const counted = await preview(user, [one, two], extra);
    expect(counted).toMatchObject({
      recipientCount: '1',
      excluded: {
        suppressed: 1,
        pending: 1,
        otherType: 0,
        doNotSend: 1,
        excludedList: 2,
        excludedSegment: 0,
        excludedHere: 2,
        companyCap: 0,
        duplicates: 2,
      },
    });
    const { duplicates: _more, ...reasons } = counted.excluded;
    expect(Number(counted.recipientCount) + Object.values(reasons).reduce((sum, n) => sum + n, 0)).toBe(8);
    const { id, recipientCount } = await accepted(user, [one, two], extra);
    expect(recipientCount).toBe('1');
    const entry = await settled(user, id);
    expect(await deliveries(user, id)).toEqual(['a@x.example']);
    expect(entry).toMatchObject({
      recipientCount: '1',
      counts: { sent: 1, skipped: 0, leftOut: 5 },
      audience: {
        excludedLists: [{ id: clients.id, name: 'Clients' }],
        excludedAddresses: ['here.example', 'b@x.example'],
        perCompany: null,
        frozenAt: expect.any(String),
        failure: null,
      },
    });
    expect(await leftOut(user, id)).toEqual([
      { id: '1', email: 'b@x.example', reason: 'excludedHere', detail: 'Left out of this send: b@x.example' },
      {
        id: '2',
        email: 'c@client.example',
        reason: 'excludedList',
        detail: 'On the list "Clients", which this send leaves out',
      },
      { id: '3', email: 'd@here.example', reason: 'excludedHere', detail: 'Left out of this send: here.example' },
      {
        id: '4',
        email: 'e@rule.example',
        reason: 'doNotSend',
        detail: expect.stringMatching(/^On your do-not-send list since \d\d:\d\d: rule\.example \(end client\)$/),
      },
      { id: '5', email: 'h@x.example', reason: 'excludedList', detail: expect.any(String) },
    ]);
    expect(await leftOut(user, id, '&reason=doNotSend')).toHaveLength(1);
    expect(await leftOut(user, id, '&search=H%40x')).toMatchObject([{ email: 'h@x.example' }]);
    // Exclusions of this send do not affect the next one.
    const next = await accepted(user, [one, two]);
    expect(await deliveries(user, next.id)).toEqual([
      'a@x.example',
      'b@x.example',
      'c@client.example',
      'd@here.example',
      'h@x.example',
    ]);
  });

  it('to plain lists that no rule concerns is previewed and expanded as one without exclusions', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: ['p1@plain.example', 'p2@plain.example'] });
    await prepare(user);
    await user.agent.post('/api/do-not-send').send({ value: 'elsewhere.example', reason: 'other' }).expect(201);
    expect(await preview(user, list, {})).toEqual({
      recipientCount: '2',
      attachmentMaxBytes: 2 * 1024 * 1024,
      excluded: { pending: 0, otherType: 0, suppressed: 0, duplicates: 0 },
      reasons: [],
      html: expect.any(String),
      text: expect.any(String),
      htmlBytes: expect.any(Number),
      subject: expect.any(String),
    });
    const { id } = await accepted(user, list);
    expect(await sql(`select 1 from send_audiences where history_id = ?`, [id])).toEqual([]);
    expect((await settled(user, id)) as object).toMatchObject({ audience: null, counts: { leftOut: 0 } });
    expect(await leftOut(user, id)).toEqual([]);
  });

  it('counts a person whom two rules cover once', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: ['a@twice.example', 'b@twice.example'] });
    await prepare(user);
    const rule = { value: 'a@twice.example', reason: 'other' };
    await user.agent.post('/api/do-not-send').send(rule).expect(201);
    // Simulates the erasure of a person.
    await sql(`update do_not_send_rules set value = 'erased:1' where owner_id = ?`, [user.id]);
    await user.agent.post('/api/do-not-send').send(rule).expect(201);
    expect(await sql(`select 1 from do_not_send_rules where owner_id = ?`, [user.id])).toHaveLength(2);
    expect(await preview(user, list, {})).toMatchObject({ recipientCount: '1', excluded: { doNotSend: 1 } });
    const { id } = await accepted(user, list);
    expect(await leftOut(user, id)).toHaveLength(1);
  });

  it('refuses invalid exclusions, and an audience without recipients with the reasons', async () => {
    const other = await app.user(PRO);
    const list = await seedList(app, ann, { addresses: ['n@none.example'] });
    const foreign = await seedList(app, other, { addresses: ['m@none.example'] });
    const { body } = await post(ann, list, { excludeAddresses: ['none.example'] }).expect(400);
    expect(body).toMatchObject({ code: 'no_recipients', details: { excludedHere: 1, pending: 0 } });
    expect(await sql(`select 1 from email_history where user_id = ?`, [ann.id])).toEqual([]);
    await post(ann, list, { excludeListIds: [foreign.id] }).expect(404);
    await post(ann, list, { excludeListIds: ['x'] }).expect(404);
    for (const bad of [
      { excludeAddresses: ['co.uk'] },
      { excludeAddresses: 'none.example' },
      { excludeAddresses: Array.from({ length: 501 }, (_, i) => `a${i}.example`) },
      { perCompany: { max: 0 } },
      { perCompany: { max: 51 } },
      { perCompany: { max: 2, prefer: 'nicest' } },
      { perCompany: 2 },
      { perCompany: { max: 2, more: 1 } },
    ])
      await post(ann, list, bad).expect(400);
    expect((await post(ann, [], {}).expect(400)).body.details[0].message).toBe('Choose at least one email list');
  });
});

describe('a cap per company', () => {
  it('mails everybody at a company once before anybody there gets a second email, and names this reason for those left out', async () => {
    const user = await app.user(PRO);
    const addresses = Array.from(
      { length: 12 },
      (_, i) => `p${String(i).padStart(2, '0')}@${i % 2 ? 'mail.' : ''}acme.example`,
    );
    const list = await seedList(app, user, { addresses: [...addresses, 'x@gmail.com', 'y@gmail.com', 'z@gmail.com'] });
    await prepare(user);
    const seen: string[] = [];
    for (let round = 0; round < 5; round++) {
      const { id } = await accepted(user, list, { perCompany: { max: 2 } });
      await settled(user, id);
      const got = (await deliveries(user, id)).filter((email) => email.includes('acme'));
      expect(got).toHaveLength(2);
      seen.push(...got);
      const out = await leftOut(user, id);
      expect(out).toHaveLength(10);
      expect(out[0]).toMatchObject({ reason: 'companyCap', detail: '2 others at acme.example get this send' });
    }
    expect(new Set(seen).size).toBe(10);
    const [last, ...more] = [
      await accepted(user, list, { perCompany: { max: 2 } }),
      await accepted(user, list, { perCompany: { max: 2 } }),
    ];
    const both = [...(await deliveries(user, last.id)), ...(await deliveries(user, more[0]!.id))].filter((email) =>
      email.includes('acme'),
    );
    expect(new Set([...seen, ...both]).size).toBe(12);
  });

  it("set for a single company applies too: the lower of two caps counts, and the contact's page shows it", async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, {
      addresses: ['a@one.example', 'b@one.example', 'c@one.example', 'd@two.example', 'e@two.example'],
    });
    await prepare(user);
    await user.agent.patch('/api/companies/one.example').send({ maxPerSend: 1 }).expect(200);
    const { id } = await accepted(user, list, { subject: 'Java hotlist' });
    expect((await deliveries(user, id)).filter((email) => email.endsWith('@one.example'))).toHaveLength(1);
    const out = await leftOut(user, id);
    expect(out).toHaveLength(2);
    expect(out[0]!.detail).toBe('1 other at one.example gets this send');
    const [person] = (await user.agent.get(`/api/contacts?limit=1&search=${out[0]!.email}`).expect(200)).body as {
      id: string;
    }[];
    const { body: timeline } = await user.agent.get(`/api/contacts/${person!.id}/timeline?kind=messages`).expect(200);
    expect(timeline).toMatchObject([
      { title: 'Left out of "Java hotlist": 1 other at one.example got it', sendId: id },
    ]);
    expect((await preview(user, list, { perCompany: { max: 5 } })).excluded.companyCap).toBe(2);
  });
});

describe('the left-out file', () => {
  it('is safe to open in a spreadsheet, and for its owner only', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: ['=cmd@calc.example', 'ok@calc.example'] });
    const clients = await seedList(app, user, { addresses: ['=cmd@calc.example'], name: '=HYPERLINK("x")' });
    await prepare(user);
    const { id } = await accepted(user, list, { excludeListIds: [clients.id] });
    const { text } = await user.agent.get(`/api/email-history/${id}/left-out.csv`).expect(200);
    expect(text.split('\r\n')).toEqual([
      'Email,Reason,Detail',
      `"'=cmd@calc.example",On a list you left out,"On the list ""=HYPERLINK(""x"")"", which this send leaves out"`,
      '',
    ]);
    await ann.agent.get(`/api/email-history/${id}/left-out.csv`).expect(404);
    await ann.agent.get(`/api/email-history/${id}/left-out`).expect(404);
    await user.agent.get(`/api/email-history/${id}/left-out?reason=nonsense`).expect(400);
  });
});
