import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { AccountErasure } from '../../../src/modules/auth/account/account-erasure.service.js';
import { NotificationLinks } from '../../../src/modules/notifications/mail/notification-links.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { Retention } from '../../../src/shared/retention/retention.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { changeOf, openStream } from '../../kit/event-stream.js';
import { emptyRedis } from '../../kit/redis.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { finished, imported, notify, stopped, stored } from './support.js';

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await startApp({ env: { ROLE: 'web' } });
  beside = await startApp({ beside: app, env: { ROLE: 'web' } });
});
afterAll(async () => {
  await beside.stop();
  await app.close();
});

const list = async (user: SignedUp, query = '') =>
  (await user.agent.get(`/api/notifications${query}`).expect(200)).body as {
    id: string;
    text: string;
    detail: string | null;
    url: string;
    count: number;
    readAt: string | null;
  }[];
const unreadOf = async (user: SignedUp) =>
  Number((await user.agent.get('/api/notifications?unread=true&limit=1').expect(200)).headers['x-total-count']);
const settingsOf = async (user: SignedUp) =>
  (await user.agent.get('/api/notification-settings').expect(200)).body as {
    summaryHour: number;
    mailIsOff: boolean;
    kinds: { kind: string; inApp: boolean; mail: string }[];
  };

describe('GET /api/notifications', () => {
  it('returns what happened, to what, and where to look, newest first', async () => {
    const user = await app.user();
    const [send, other] = [crypto.randomUUID(), crypto.randomUUID()];
    await notify(app, finished(user.id, 60, send), stopped(user.id, other), imported(user.id, other, 812, 14));
    await notify(app, { userId: user.id, kind: 'reputation.warning', groupKey: 'r', params: { bounceRate: 0.0413 } });
    const subject = 'Java hotlist';
    expect(await list(user)).toMatchObject([
      { text: 'Bounces rising: 4.1 % this week', url: '/history' },
      { text: 'Import finished: 812 added, 14 refused', detail: 'Java vendors', url: `/lists/${other}` },
      { text: 'Send stopped: the mail server refuses us', detail: subject, url: `/history/${other}` },
      { text: 'Send finished: 702 of 720 delivered', detail: subject, url: `/history/${send}`, readAt: null },
    ]);
  });

  it('is paged, and returns nothing of other users, of kinds that the user wants by mail only, or of kinds unknown to this version', async () => {
    const [user, other] = [await app.user(), await app.user()];
    await notify(app, ...Array.from({ length: 5 }, () => stopped(user.id)), stopped(other.id));
    await rows(
      app.em(),
      `insert into notifications (user_id, kind, group_key, params, shown) values (?, 'send.stopped', 'hidden', '{}', false), (?, 'future.kind', 'future', '{}', true)`,
      [user.id, user.id],
    );
    const seen: string[] = [];
    for (let path: string | undefined = '/api/notifications?limit=2'; path;) {
      const answer: request.Response = await user.agent.get(path).expect(200);
      expect(answer.headers['x-total-count']).toBe('5');
      seen.push(...(answer.body as { id: string }[]).map(({ id }) => id));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1];
    }
    expect(new Set(seen).size).toBe(5);
    await user.agent.get('/api/notifications?unread=maybe').expect(400);
    await app.http().get('/api/notifications').expect(401);
  });
});

describe('POST /api/notifications/read', () => {
  it('marks the given ones of the user, ignores those of others, and marks all on request', async () => {
    const [user, other] = [await app.user(), await app.user()];
    await notify(app, stopped(user.id), stopped(user.id), stopped(user.id), stopped(other.id));
    const [[mine], [theirs]] = [await list(user), await list(other)];
    const read = async (body: object) =>
      (await user.agent.post('/api/notifications/read').send(body).expect(200)).body as object;
    expect(await read({ ids: [mine!.id, theirs!.id, crypto.randomUUID()] })).toEqual({ unread: 2 });
    expect(await list(user, '?unread=true')).toHaveLength(2);
    expect(await unreadOf(other)).toBe(1);
    expect(await read({ all: true })).toEqual({ unread: 0 });
    expect(await unreadOf(user)).toBe(0);
    for (const body of [{}, { ids: ['x'] }, { all: false }, { ids: [mine!.id], more: 1 }])
      await user.agent.post('/api/notifications/read').send(body).expect(400);
  });
});

describe('the event stream of notifications', () => {
  it('tells every instance of new and read notifications, and the count is right with an empty Redis', async () => {
    const user = await app.user();
    const token = (await app.http().post('/api/auth/token').send({ email: user.email, password: PASSWORD }).expect(200))
      .body.accessToken as string;
    const stream = await openStream(`${beside.url}/api/events`, { Authorization: `Bearer ${token}` });
    await notify(app, stopped(user.id));
    await stream.next(changeOf('notification'));
    await emptyRedis(app);
    const seen = stream.events.length;
    await notify(app, stopped(user.id));
    await stream.next((event) => stream.events.indexOf(event) >= seen && changeOf('notification')(event));
    expect(await unreadOf(user)).toBe(2);
    stream.leave();
  });
});

describe('the settings of notifications', () => {
  it('list every kind with its default, and keep what was chosen', async () => {
    const user = await app.user({ set: { time_zone: 'America/Chicago' } });
    const choices = [
      { kind: 'send.finished', inApp: true, mail: 'summary' },
      { kind: 'send.stopped', inApp: true, mail: 'now' },
      { kind: 'schedule.blocked', inApp: true, mail: 'now' },
      { kind: 'import.finished', inApp: true, mail: 'never' },
      { kind: 'reputation.warning', inApp: true, mail: 'summary' },
    ];
    const first = await settingsOf(user);
    expect(first).toMatchObject({ summaryHour: 8, timeZone: 'America/Chicago', mailIsOff: false });
    expect(first.kinds).toEqual(expect.arrayContaining(choices));
    const kinds = [{ kind: 'import.finished', inApp: false, mail: 'now' }];
    await user.agent.put('/api/notification-settings').send({ summaryHour: 17, kinds }).expect(200);
    const changed = await settingsOf(user);
    expect(changed).toMatchObject({ summaryHour: 17 });
    expect(changed.kinds).toEqual(
      expect.arrayContaining([...kinds, ...choices.filter(({ kind }) => kind !== 'import.finished')]),
    );
    await notify(app, imported(user.id, 'java', 1, 0));
    expect(await list(user)).toEqual([]);
    expect(await stored(app, user.id)).toMatchObject([{ shown: false, mail_as: 'now' }]);
    for (const body of [
      { summaryHour: 24, kinds: [] },
      { summaryHour: 8, kinds: [{ kind: 'run.approval', inApp: true, mail: 'now' }] },
      { summaryHour: 8, kinds: [{ kind: 'send.stopped', inApp: true, mail: 'hourly' }] },
      { summaryHour: 8, kinds: [kinds[0], kinds[0]] },
    ])
      await user.agent.put('/api/notification-settings').send(body).expect(400);
  });
});

describe('the link "Change what we mail you"', () => {
  it('changes nothing when it is fetched, and ends the chosen kinds when its button is pressed', async () => {
    const user = await app.user();
    const { pathname } = new URL(app.get(NotificationLinks).urlFor(user.id));
    const token = pathname.split('/').at(-1)!;
    const before = await settingsOf(user);
    for (const path of [pathname, `/api/notification-opt-out/${token}`]) {
      await app.http().get(path);
      await app.http().head(path);
    }
    expect(await settingsOf(user)).toEqual(before);
    await user.agent
      .put('/api/notification-settings')
      .send({ summaryHour: 8, kinds: [{ kind: 'send.stopped', inApp: false, mail: 'now' }] })
      .expect(200);
    const press = (body: object) => app.http().post(`/api/notification-opt-out/${token}`).send(body);
    await press({ kinds: ['send.stopped'] }).expect(200);
    const after = await settingsOf(user);
    expect(after.kinds).toContainEqual({ kind: 'send.stopped', inApp: false, mail: 'never' });
    expect(after.kinds).toContainEqual({ kind: 'send.finished', inApp: true, mail: 'summary' });
    await press({ kinds: [] }).expect(400);
    await press({ kinds: ['mail.off'] }).expect(400);
    await app.http().post(pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);
    expect((await settingsOf(user)).kinds.map(({ mail }) => mail)).toEqual(after.kinds.map(() => 'never'));
  });

  it('belongs to the account: another token is refused', async () => {
    const user = await app.user();
    const token = app.get(NotificationLinks).urlFor(user.id).split('/').at(-1)!;
    const forged = Buffer.from(token, 'base64url');
    forged[0]! ^= 1;
    for (const wrong of [forged.toString('base64url'), 'x', `${token}A`, 'A'.repeat(43)])
      await app
        .http()
        .post(`/api/notification-opt-out/${wrong}`)
        .send({ kinds: ['send.stopped'] })
        .expect(404)
        .expect(({ body }) => expect(body.code).toBe('token_invalid'));
  });
});

describe('notifications', () => {
  it('are kept for 90 days, are in the export, and are deleted with the account', async () => {
    const user = await app.user();
    await notify(app, stopped(user.id), finished(user.id, 60));
    await rows(
      app.em(),
      `update notifications set updated_at = now() - interval '91 days' where user_id = ? and kind = 'send.stopped'`,
      [user.id],
    );
    await app.get(Retention).purge();
    expect(await stored(app, user.id)).toMatchObject([{ kind: 'send.finished' }]);
    const zip = await user.agent
      .get('/api/auth/export')
      .buffer(true)
      .parse((answer, done) => {
        const parts: Buffer[] = [];
        answer.on('data', (part: Buffer) => parts.push(part)).on('end', () => done(null, Buffer.concat(parts)));
      })
      .expect(200);
    expect((zip.body as Buffer).includes('notifications.csv')).toBe(true);
    await rows(app.em(), `update users set deleted_at = now() where id = ?`, [user.id]);
    await app.get(AccountErasure).erase(user.id);
    expect(await stored(app, user.id)).toEqual([]);
  });
});
