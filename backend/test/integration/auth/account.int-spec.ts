import { inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

describe('settings', () => {
  it('change agency and time zone independently', async () => {
    const { agent } = await app.user();
    const patch = (body: object) => agent.patch('/api/auth/user/settings').send(body);
    await patch({ agencyName: ' Acme ', timeZone: 'Asia/Kolkata' })
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ agencyName: 'Acme', timeZone: 'Asia/Kolkata' }));
    await patch({ timeZone: 'UTC' })
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ agencyName: 'Acme', timeZone: 'UTC' }));
    await patch({ agencyName: '' })
      .expect(200)
      .expect(({ body }) => expect(body).toMatchObject({ agencyName: null, timeZone: 'UTC' }));
    await patch({}).expect(200);
    for (const wrong of [
      { timeZone: 'Mars/Base' },
      { agencyName: 'x'.repeat(201) },
      { agencyName: 'a\nb' },
      { agencyName: 5 },
      { tier: 'pro' },
    ])
      await patch(wrong).expect(400);
  });

  it("allow no second day's limit by a change of the time zone", async () => {
    const { agent, id } = await app.user({ set: { time_zone: 'UTC' } });
    await rows(
      app.em(),
      `insert into usage_tracking (user_id, date, time_zone, emails_sent) values (?, (now() at time zone 'UTC')::date, 'UTC', 1)`,
      [id],
    );
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      const { body } = await agent.patch('/api/auth/user/settings').send({ timeZone }).expect(200);
      expect(body.entitlements).toMatchObject({ sentToday: 1, remainingToday: 0 });
    }
  });
});

describe('the export of all data', () => {
  const download = (agent: Awaited<ReturnType<TestApp['user']>>['agent']) =>
    agent
      .get('/api/auth/export')
      .buffer(true)
      .parse((res, done) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
      })
      .expect(200);

  it("is a ZIP with a file for each part, with the account's own data only", async () => {
    const [owner, stranger] = [await app.user(), await app.user()];
    for (const { agent, name } of [
      { agent: owner.agent, name: 'mine' },
      { agent: stranger.agent, name: 'foreign' },
    ]) {
      const list = (
        await agent
          .post('/api/email-lists')
          .send({ name: `${name} list` })
          .expect(201)
      ).body;
      for (const email of [`a@${name}.test`, `b@${name}.test`])
        await agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email, name: '=cmd()' }).expect(201);
      await rows(app.em(), `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`, [
        list.id,
      ]);
      await agent
        .post('/api/send-email')
        .send({ emailListIds: [list.id], subject: `${name} subject`, content: 'Hello', emailType: 'job-post' })
        .expect(202);
      const [contact] = await rows<{ token: string }>(
        app.em(),
        `select unsubscribe_token as token from subscriptions where email = ?`,
        [`b@${name}.test`],
      );
      await app.http().post(`/api/unsubscribe/${contact!.token}`).expect(200);
    }
    for (const { agent, name } of [
      { agent: owner.agent, name: 'mine' },
      { agent: stranger.agent, name: 'foreign' },
    ]) {
      await agent
        .post('/api/referrals/invite')
        .send({ inviteeEmail: `colleague@${name}.test` })
        .expect(201);
      await rows(
        app.em(),
        `insert into user_subscriptions (user_id, plan_id, stripe_customer_id, stripe_subscription_id, status, current_period_start, current_period_end, started_at)
         select u.id, p.id, ?, ?, 'canceled', now() - interval '1 month', now(), now() - interval '1 month' from users u, subscription_plans p where u.email = ? and p.billing_interval = 'month'`,
        [`cus_${name}`, `sub_${name}`, name === 'mine' ? owner.email : stranger.email],
      );
    }
    for (const { id, name } of [
      { id: owner.id, name: 'mine' },
      { id: stranger.id, name: 'foreign' },
    ]) {
      const [made] = await rows<{ id: string }>(
        app.em(),
        `insert into contact_imports (user_id, status, subscription_type, file_name, lines, skipped, columns, finished_at)
         values (?, 'done', 'job-posts', ?, 7, 1, '[{"header": "Mail", "target": "email", "samples": []}]', now()) returning id`,
        [id, `${name}.xlsx`],
      );
      await rows(
        app.em(),
        `insert into contact_import_rejects (import_id, line, email, reason, cells) values (?, 5, ?, 'invalid', '["x", "Ann"]')`,
        [made!.id, `x at ${name}`],
      );
      await rows(
        app.em(),
        `insert into import_mappings (owner_id, header_hash, mapping) values (?, 'h', jsonb_build_object(?::text, 'email'))`,
        [id, `${name} mail`],
      );
    }
    const { body, headers } = await download(owner.agent);
    expect(headers['content-type']).toBe('application/zip');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="staffcast-\d{4}-\d\d-\d\d\.zip"$/);
    const files = unzip(body as Buffer);
    expect([...files.keys()]).toEqual([
      'attachments.csv',
      'companies.csv',
      'contacts.csv',
      'deliveries.csv',
      'devices.csv',
      'do-not-send.csv',
      'drafts.csv',
      'file-links.csv',
      'files.csv',
      'history.csv',
      'import-columns.csv',
      'imports-left-out.csv',
      'imports.csv',
      'left-out.csv',
      'lists.csv',
      'notifications.csv',
      'paid-plans.csv',
      'people-fields.csv',
      'people-notes.csv',
      'people.csv',
      'pictures.csv',
      'profile.json',
      'referral-conversions.csv',
      'referral-invites.csv',
      'referral-months.csv',
      'scheduled.csv',
      'security-events.csv',
      'segments.csv',
      'sender-profile.csv',
      'suppressions.csv',
      'templates.csv',
      'testers.csv',
      'tests.csv',
      'usage.csv',
    ]);
    expect(JSON.parse(files.get('profile.json')!)).toMatchObject({ email: owner.email, id: owner.id });
    expect(files.get('contacts.csv')!.trim().split('\r\n')).toHaveLength(3);
    expect(files.get('contacts.csv')).toContain(`mine list,a@mine.test,"'=cmd()",job-posts,true,`);
    expect(files.get('suppressions.csv')).toContain('b@mine.test,unsubscribed,');
    expect(files.get('deliveries.csv')!.trim().split('\r\n')).toHaveLength(3);
    expect(files.get('history.csv')).toContain('mine subject');
    expect(files.get('imports.csv')).toMatch(/,mine\.xlsx,,done,.*,7,0,0,0,1,Mail: email,/);
    expect(files.get('imports-left-out.csv')).toContain(',5,x at mine,invalid,');
    expect(files.get('import-columns.csv')).toContain('mine mail,email,20');
    expect(files.get('security-events.csv')).toContain('Data exported');
    expect(files.get('referral-invites.csv')).toContain('colleague@mine.test,pending,');
    expect(files.get('paid-plans.csv')).toMatch(/,canceled,\d{4}-/);
    const all = [...files.values()].join('');
    expect(all).not.toContain('foreign');
    expect(all).not.toMatch(/argon2|unsubscribe_token|password_hash/);
    await app.http().get('/api/auth/export').expect(401);
  });

  it('pages through more contacts than one read takes', async () => {
    const { agent, id } = await app.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'many' }).expect(201)).body;
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state)
       select 'c' || n || '@many.test', 'c' || n || '@many.test', sha256(('c' || n)::bytea), 'job-posts', 'token-' || n, ?::uuid, 'none' from generate_series(1, 2500) n`,
      [list.id],
    );
    const lines = unzip((await download(agent)).body as Buffer)
      .get('contacts.csv')!
      .trim()
      .split('\r\n');
    expect(new Set(lines).size).toBe(2501);
    expect(id).toBeTruthy();
  });
});

/** The files in a ZIP, found by its central directory. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extra, comment, offset] = [
      zip.readUInt32LE(at + 20),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
      zip.readUInt16LE(at + 32),
      zip.readUInt32LE(at + 42),
    ];
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    files.set(
      zip.toString('utf8', at + 46, at + 46 + nameLength),
      inflateRawSync(zip.subarray(start, start + size)).toString('utf8'),
    );
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
