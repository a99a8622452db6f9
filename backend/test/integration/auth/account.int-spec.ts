import { setTimeout as pause } from 'node:timers/promises';
import { deflateSync, inflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { ANIMATED_WEBP, JPEG, jpegSegment, PNG, pngChunk, riffChunk, WEBP } from '../../kit/pictures.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

/** A PNG of this size, one grey. */
function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.alloc((width + 1) * height))), chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('settings', () => {
  it('change agency and time zone, one without the other', async () => {
    const { agent } = await app.user();
    const patch = (body: object) => agent.patch('/api/auth/user/settings').send(body);
    await patch({ agencyName: ' Acme ', timeZone: 'Asia/Kolkata' }).expect(200).expect(({ body }) => expect(body).toMatchObject({ agencyName: 'Acme', timeZone: 'Asia/Kolkata' }));
    await patch({ timeZone: 'UTC' }).expect(200).expect(({ body }) => expect(body).toMatchObject({ agencyName: 'Acme', timeZone: 'UTC' }));
    await patch({ agencyName: '' }).expect(200).expect(({ body }) => expect(body).toMatchObject({ agencyName: null, timeZone: 'UTC' }));
    await patch({}).expect(200);
    for (const wrong of [{ timeZone: 'Mars/Base' }, { agencyName: 'x'.repeat(201) }, { agencyName: 'a\nb' }, { agencyName: 5 }, { tier: 'pro' }]) await patch(wrong).expect(400);
  });

  it('never open a second day by another time zone', async () => {
    const { agent, id } = await app.user({ set: { time_zone: 'UTC' } });
    await rows(app.em(), `insert into usage_tracking (user_id, date, time_zone, emails_sent) values (?, (now() at time zone 'UTC')::date, 'UTC', 1)`, [id]);
    for (const timeZone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
      const { body } = await agent.patch('/api/auth/user/settings').send({ timeZone }).expect(200);
      expect(body.entitlements).toMatchObject({ sentToday: 1, remainingToday: 0 });
    }
  });
});

describe('the profile picture', () => {
  const put = (agent: Awaited<ReturnType<TestApp['user']>>['agent'], bytes: Buffer, type = 'image/png') => agent.put('/api/auth/user/avatar').set('Content-Type', type).send(bytes);

  it('is served under an address of its own, which changes with the picture', async () => {
    const { agent } = await app.user();
    const first = (await put(agent, png(256, 256)).expect(200)).body.profileImageUrl as string;
    expect(first).toMatch(/^\/api\/avatars\/[0-9a-f-]{36}$/);
    const served = await agent.get(first).expect(200);
    expect(served.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff', 'cache-control': 'private, max-age=31536000, immutable' });
    expect(served.body).toEqual(png(256, 256));
    const second = (await put(agent, png(64, 64)).expect(200)).body.profileImageUrl as string;
    expect(second).not.toBe(first);
    await agent.get(first).expect(404);
    await app.http().get(second).expect(401);
    await agent.delete('/api/auth/user/avatar').expect(200).expect(({ body }) => expect(body.profileImageUrl).toBeNull());
    await agent.get(second).expect(404);
    await agent.get('/api/avatars/nonsense').expect(404);
  });

  it('is judged by its bytes, not by what it is called', async () => {
    const { agent } = await app.user();
    const html = Buffer.from('<html><script>alert(1)</script></html>');
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>');
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==', 'base64');
    for (const bytes of [html, svg, gif, Buffer.alloc(0), png(10, 10).subarray(0, 12)]) await put(agent, bytes).expect(415);
    const named = await agent.put('/api/auth/user/avatar').set('Content-Type', 'image/svg+xml').send(svg.toString()).expect(415);
    expect(named.body.message).toBe('Send a PNG, JPEG or WebP picture');
    await put(agent, png(4096, 16)).expect(400);
    await put(agent, Buffer.concat([png(10, 10), Buffer.alloc(512 * 1024)])).expect(413);
    await agent.put('/api/auth/user/avatar').send({ url: 'https://evil.test/x.png' }).expect(415);
    await agent.get('/api/auth/user').expect(({ body }) => expect(body.profileImageUrl).toBeNull());
  });
});

describe('the metadata of a picture', () => {
  const SECRET = 'GPS 52.5 N 13.4 E SECRETHOME';
  const exif = Buffer.from(`Exif\0\0II*\0${SECRET}`);
  const riffOf = (source: Buffer, part: Buffer) => {
    const whole = Buffer.concat([source, part]);
    whole.writeUInt32LE(whole.length - 8, 4);
    return whole;
  };
  const taken = (): [string, Buffer][] => [
    ['image/jpeg', Buffer.concat([JPEG.subarray(0, 2), jpegSegment(0xe1, exif), JPEG.subarray(2), Buffer.from(SECRET)])],
    ['image/png', Buffer.concat([PNG.subarray(0, 33), pngChunk('eXIf', exif), pngChunk('tEXt', Buffer.from(`Author\0${SECRET}`)), PNG.subarray(33), Buffer.from(SECRET)])],
    ['image/webp', Buffer.concat([riffOf(WEBP, riffChunk('EXIF', exif)), Buffer.from(SECRET)])], ['image/webp', riffOf(ANIMATED_WEBP, riffChunk('XMP ', exif))],
  ];

  it('is neither stored nor shown to other accounts', async () => {
    const [owner, reader] = [await app.user(), await app.user()];
    for (const [type, bytes] of taken()) {
      const { body } = await owner.agent.put('/api/auth/user/avatar').set('Content-Type', type).send(bytes).expect(200);
      const served = await reader.agent.get(body.profileImageUrl as string).expect(200).expect('content-type', type);
      expect((served.body as Buffer).length).toBeGreaterThan(50);
      expect((served.body as Buffer).includes('SECRETHOME')).toBe(false);
      expect(await rows(app.em(), `select 1 from user_avatars where user_id = ? and position('SECRETHOME'::bytea in content) > 0`, [owner.id])).toEqual([]);
    }
  });

  it('of one that was stored with it is not served, and goes with the next sweep; what cannot be read goes whole', async () => {
    const kept = await Promise.all(taken().map(async ([type, bytes]) => {
      const owner = await app.user();
      const { body } = await owner.agent.put('/api/auth/user/avatar').set('Content-Type', type).send(bytes).expect(200);
      await rows(app.em(), `update user_avatars set content = decode(?, 'hex'), stripped_id = null where user_id = ?`, [bytes.toString('hex'), owner.id]);
      return { owner, url: body.profileImageUrl as string };
    }));
    const [broken] = kept;
    await rows(app.em(), `update user_avatars set content = '\\x00'::bytea where user_id = ?`, [broken!.owner.id]);
    for (const { owner, url } of kept.slice(1)) expect(((await owner.agent.get(url).expect(200)).body as Buffer).includes('SECRETHOME')).toBe(false);
    await broken!.owner.agent.get(broken!.url).expect(404);

    const { PictureCleanup } = await import('../../../src/modules/auth/pictures/picture-cleanup.service.js');
    await app.get(PictureCleanup).cleanAll();
    expect(await rows(app.em(), `select 1 from user_avatars where stripped_id is distinct from id or position('SECRETHOME'::bytea in content) > 0`)).toEqual([]);
    for (const { owner, url } of kept.slice(1)) await owner.agent.get(url).expect(200);
    await broken!.owner.agent.get('/api/auth/user').expect(({ body }) => expect(body.profileImageUrl).toBeNull());
  });
});

describe('the end of an account', () => {
  const remove = (agent: Awaited<ReturnType<TestApp['user']>>['agent'], password: unknown = PASSWORD) => agent.post('/api/auth/delete-account').send({ password });

  it('asks for the password, signs out, frees the address and leaves no row behind', async () => {
    const { agent, email, id } = await app.user();
    await agent.put('/api/auth/user/avatar').set('Content-Type', 'image/png').send(png(8, 8)).expect(200);
    await remove(agent, 'not this one').expect(400).expect(({ body }) => expect(body.details[0].field).toBe('password'));
    await remove(agent, null).expect(400);
    await agent.get('/api/auth/user').expect(200);
    await remove(agent).expect(200);
    await agent.get('/api/auth/user').expect(401);
    await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(401);
    for (const table of ['auth_credentials', 'auth_sessions', 'user_avatars', 'audit_events']) {
      expect(await rows(app.em(), `select 1 from ${table} where user_id = ?`, [id])).toEqual([]);
    }
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
    await app.user({ email });
  });

  it('keeps unsubscribe links working, and suppressions without their addresses', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Java' }).expect(201)).body;
    for (const email of ['left@vendor.test', 'stays@vendor.test']) await owner.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email }).expect(201);
    await rows(app.em(), `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`, [list.id]);
    const links = await rows<{ token: string }>(app.em(), `select unsubscribe_token as token from subscriptions where email_list_id = ? order by email`, [list.id]);
    await app.http().post(`/api/unsubscribe/${links[0]!.token}`).expect(200);
    await remove(owner.agent).expect(200);
    expect(await rows(app.em(), `select 1 from email_lists where id = ?`, [list.id])).toEqual([]);
    expect(await rows(app.em(), `select address_norm from suppressions where owner_id = ?`, [owner.id])).toEqual([{ address_norm: null }]);
    expect(await rows(app.em(), `select 1 from consent_events where owner_id = ?`, [owner.id])).toEqual([]);
    for (const { token } of links) await app.http().post(`/api/unsubscribe/${token}`).expect(200).expect(({ body }) => expect(body.email).toMatch(/@vendor\.test$/));
  });

  it('stops a send that is under way', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Long' }).expect(201)).body;
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state, confirmed, confirmed_at)
       select 'c' || n || '@long.test', 'c' || n || '@long.test', sha256(('long' || n)::bytea), 'job-posts', 'long-' || n, ?::uuid, 'none', true, now() from generate_series(1, 4000) n`,
      [list.id],
    );
    const reached = () => app.mails.all.filter(({ to }) => to[0]?.endsWith('@long.test')).length;
    await owner.agent.post('/api/send-email').send({ emailListIds: [list.id], subject: 'Long', content: 'Hello', emailType: 'job-post' }).expect(202);
    await app.mails.waitForTotal(app.mails.all.length + 1);
    await remove(owner.agent).expect(200);
    const [before, marker] = [reached(), await app.user({ verified: false })];
    await app.mails.waitFor(marker.email);
    expect(reached()).toBeLessThan(4000);
    expect(reached() - before).toBeLessThan(200);
    expect(await rows(app.em(), `select 1 from email_delivery_logs where user_id = ?`, [owner.id])).toEqual([]);
  });

  it('goes in parts: what was erased before an interruption stays erased, and the sweep finishes', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Many' }).expect(201)).body;
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state, confirmed, confirmed_at)
       select 'c' || n || '@parts.test', 'c' || n || '@parts.test', sha256(('parts' || n)::bytea), 'job-posts', rpad('parts' || n || 'x', 43, 'p'), ?::uuid, 'none', true, now() from generate_series(1, 300) n`,
      [list.id],
    );
    await owner.agent.post('/api/send-email').send({ emailListIds: [list.id], subject: 'Parts', content: 'Hello', emailType: 'job-post' }).expect(202);
    await rows(app.em(), `create function keep_user() returns trigger language plpgsql as $$ begin if old.id = '${owner.id}' then raise exception 'interrupted'; end if; return old; end $$`);
    await rows(app.em(), `create trigger keep_user before delete on users for each row execute function keep_user()`);
    try {
      await remove(owner.agent).expect(200);
      const lists = () => rows(app.em(), `select 1 from email_lists where owner_id = ?`, [owner.id]);
      for (const end = Date.now() + 30_000; (await lists()).length > 0 && Date.now() < end; ) await pause(50);
      expect(await rows(app.em(), `select 1 from users where id = ?`, [owner.id])).toHaveLength(1);
      for (const [table, column] of [['email_delivery_logs', 'user_id'], ['email_history', 'user_id'], ['email_lists', 'owner_id']] as const) {
        expect(await rows(app.em(), `select 1 from ${table} where ${column} = ?`, [owner.id])).toEqual([]);
      }
      expect(await rows(app.em(), `select 1 from subscriptions where email_list_id = ?`, [list.id])).toEqual([]);
    } finally {
      await rows(app.em(), `drop trigger keep_user on users`);
    }
    await rows(app.em(), `update users set deleted_at = now() - interval '1 hour' where id = ?`, [owner.id]);
    const { AccountErasure } = await import('../../../src/modules/auth/account-erasure.service.js');
    await app.get(AccountErasure).eraseLeftOver();
    expect(await rows(app.em(), `select 1 from users where id = ?`, [owner.id])).toEqual([]);
    await app.http().post(`/api/unsubscribe/${'parts1x'.padEnd(43, 'p')}`).expect(200);
  });

  it('is a worker\'s work: a web process answers and leaves it alone', async () => {
    const web = await startApp({ env: { ROLE: 'web' } });
    try {
      const owner = await web.user();
      await web.nest.get(JobQueue, { strict: false }).queue('erasures').pause();
      await remove(owner.agent).expect(200);
      expect(await rows(web.em(), `select 1 from users where id = ? and deleted_at is not null`, [owner.id])).toHaveLength(1);
      await web.http().post('/api/auth/login').send({ email: owner.email, password: PASSWORD }).expect(401);
    } finally {
      await web.close();
    }
  });

  it('is finished by the sweep where it broke off', async () => {
    const { id } = await app.user();
    await rows(app.em(), `update users set deleted_at = now() - interval '1 hour' where id = ?`, [id]);
    const { AccountErasure } = await import('../../../src/modules/auth/account-erasure.service.js');
    await app.get(AccountErasure).eraseLeftOver();
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
  });

  it("waits for whoever holds the account's row", async () => {
    const { id } = await app.user();
    await rows(app.em(), `update users set deleted_at = now() where id = ?`, [id]);
    const { AccountErasure } = await import('../../../src/modules/auth/account-erasure.service.js');
    let erasing: Promise<void> | undefined;
    await app.em().transactional(async (em) => {
      await rows(em, `select 1 from users where id = ? for update`, [id]);
      erasing = app.get(AccountErasure).erase(id);
      await Promise.race([erasing, pause(1_000)]);
    });
    await erasing;
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
  });
});

describe('the download of everything', () => {
  const download = (agent: Awaited<ReturnType<TestApp['user']>>['agent']) => agent.get('/api/auth/export').buffer(true).parse((res, done) => {
    const chunks: Buffer[] = [];
    res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => done(null, Buffer.concat(chunks)));
  }).expect(200);

  it('is a ZIP with a file for each part: the own data, and nothing of anybody else', async () => {
    const [owner, stranger] = [await app.user(), await app.user()];
    for (const { agent, name } of [{ agent: owner.agent, name: 'mine' }, { agent: stranger.agent, name: 'foreign' }]) {
      const list = (await agent.post('/api/email-lists').send({ name: `${name} list` }).expect(201)).body;
      for (const email of [`a@${name}.test`, `b@${name}.test`]) await agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email, name: '=cmd()' }).expect(201);
      await rows(app.em(), `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`, [list.id]);
      await agent.post('/api/send-email').send({ emailListIds: [list.id], subject: `${name} subject`, content: 'Hello', emailType: 'job-post' }).expect(202);
      const [contact] = await rows<{ token: string }>(app.em(), `select unsubscribe_token as token from subscriptions where email = ?`, [`b@${name}.test`]);
      await app.http().post(`/api/unsubscribe/${contact!.token}`).expect(200);
    }
    for (const { agent, name } of [{ agent: owner.agent, name: 'mine' }, { agent: stranger.agent, name: 'foreign' }]) {
      await agent.post('/api/referrals/invite').send({ inviteeEmail: `colleague@${name}.test` }).expect(201);
      await rows(
        app.em(),
        `insert into user_subscriptions (user_id, plan_id, stripe_customer_id, stripe_subscription_id, status, current_period_start, current_period_end, started_at)
         select u.id, p.id, ?, ?, 'canceled', now() - interval '1 month', now(), now() - interval '1 month' from users u, subscription_plans p where u.email = ? and p.billing_interval = 'month'`,
        [`cus_${name}`, `sub_${name}`, name === 'mine' ? owner.email : stranger.email],
      );
    }
    const { body, headers } = await download(owner.agent);
    expect(headers['content-type']).toBe('application/zip');
    expect(headers['content-disposition']).toMatch(/^attachment; filename="staffcast-\d{4}-\d\d-\d\d\.zip"$/);
    const files = unzip(body as Buffer);
    expect([...files.keys()]).toEqual([
      'contacts.csv', 'deliveries.csv', 'devices.csv', 'history.csv', 'lists.csv', 'paid-plans.csv', 'profile.json', 'referral-conversions.csv', 'referral-invites.csv',
      'referral-months.csv', 'security-events.csv', 'suppressions.csv', 'usage.csv',
    ]);
    expect(JSON.parse(files.get('profile.json')!)).toMatchObject({ email: owner.email, id: owner.id });
    expect(files.get('contacts.csv')!.trim().split('\r\n')).toHaveLength(3);
    expect(files.get('contacts.csv')).toContain(`mine list,a@mine.test,"'=cmd()",job-posts,true,`);
    expect(files.get('suppressions.csv')).toContain('b@mine.test,unsubscribed,');
    expect(files.get('deliveries.csv')!.trim().split('\r\n')).toHaveLength(3);
    expect(files.get('history.csv')).toContain('mine subject');
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
    const lines = unzip((await download(agent)).body as Buffer).get('contacts.csv')!.trim().split('\r\n');
    expect(new Set(lines).size).toBe(2501);
    expect(id).toBeTruthy();
  });
});

/** The files of a ZIP, by its central directory. */
function unzip(zip: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  for (let at = zip.readUInt32LE(end + 16), left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [size, nameLength, extra, comment, offset] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30), zip.readUInt16LE(at + 32), zip.readUInt32LE(at + 42)];
    const start = offset + 30 + zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28);
    files.set(zip.toString('utf8', at + 46, at + 46 + nameLength), inflateRawSync(zip.subarray(start, start + size)).toString('utf8'));
    at += 46 + nameLength + extra + comment;
  }
  return files;
}
