import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { AccountChanges } from '../../../src/shared/changes/account-changes.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { EventStreamLimits } from '../../../src/shared/http/responses/event-streams.service.js';
import type { TestApp } from '../../kit/app.js';
import { changeOf as of, type OpenStream, openStream, type StreamEvent } from '../../kit/event-stream.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { until } from '../../kit/until.js';
import { type Follower, streamHelpers } from './events-support.js';

let app: TestApp;
let beside: TestApp;
beforeAll(async () => {
  app = await startSending();
  // Heartbeats are disabled by a long interval, so that none of them ends a stream.
  app.get(EventStreamLimits).heartbeatMs = 600_000;
  beside = await startSending({}, { beside: app, env: { ROLE: 'web' } });
});
afterAll(async () => {
  await beside.stop();
  await app.close();
});

const { tokenOf, follow, heard } = streamHelpers(() => app);

describe('GET /api/events', () => {
  it("sends the account's changes, by kind and id, on every instance, to no one else", async () => {
    const [mine, other] = [await follow(), await follow()];
    // Waits for events of the registration, which may arrive late.
    await heard(other.stream, other.user);
    const earlier = other.stream.events.length;
    const there = await openStream(`${beside.url}/api/events`, { Authorization: `Bearer ${mine.token}` });
    const {
      user: { agent },
    } = mine;
    const list = (await agent.post('/api/email-lists').send({ name: 'Vendors' }).expect(201)).body.id as string;
    for (const stream of [mine.stream, there]) await stream.next(of('list', list));
    const contact = (
      await agent.post(`/api/email-lists/${list}/subscribers`).send({ email: 'maya@vendor.test' }).expect(201)
    ).body.id as string;
    for (const stream of [mine.stream, there]) await stream.next(of('contacts', list));
    const seen = [mine.stream, there].map((stream) => stream.events.length);
    const again = (i: number, stream: OpenStream, is: (event: StreamEvent) => boolean) =>
      stream.next((event) => stream.events.indexOf(event) >= seen[i]! && is(event));
    await agent.patch(`/api/email-lists/${list}/subscribers/${contact}`).send({ name: 'Maya' }).expect(200);
    for (const [i, stream] of [mine.stream, there].entries()) await again(i, stream, of('contacts', list));
    await agent.patch('/api/auth/user/name').send({ firstName: 'Maya', lastName: 'Carver' }).expect(200);
    for (const stream of [mine.stream, there]) await stream.next(of('me'));
    await heard(other.stream, other.user);
    expect(
      other.stream.events.slice(earlier).filter(({ name, data }) => name === 'change' && data.kind !== 'import'),
    ).toEqual([]);
    expect(mine.stream.text()).not.toMatch(/maya|vendor|carver/i);
    for (const { stream } of [mine, other, { stream: there }]) stream.leave();
  });

  it("sends changes in the order in which they happen: contacts that confirm, bounce and unsubscribe, an import's end, and a send from start to end", async () => {
    const { user, stream } = await follow();
    const list = await seedList(app, user, { count: 30 });
    await stream.next(of('contacts', list.id));
    /** Runs `act`, and expects a matching event before that of a later change. */
    const told = async (is: (event: StreamEvent) => boolean, act: () => Promise<unknown>) => {
      // eslint-disable-next-line staffcast/no-bare-wait -- changes of one second are told together: the event of an earlier one is over
      await pause(1_100);
      const before = stream.events.length;
      await act();
      await heard(stream, user);
      expect(stream.events.slice(before).some(is)).toBe(true);
    };
    const one = async (where: string) =>
      (
        await rows<{ token: string; id: string }>(
          app.em(),
          `select id, unsubscribe_token as token from subscriptions where email_list_id = ? and ${where} order by email_norm limit 1`,
          [list.id],
        )
      )[0]!;
    const admin = await app.user({ admin: true });
    const pending = (await one('confirmed')).id;
    for (const confirmed of [false, true])
      await told(of('contacts', list.id), () =>
        admin.agent.patch(`/api/admin/subscriptions/${pending}/confirm`).send({ confirmed }).expect(200),
      );
    const { token } = await one('confirmed');
    await told(of('contacts', list.id), () =>
      app.http().post(`/api/unsubscribe/${token}`).type('form').send('List-Unsubscribe=One-Click').expect(200),
    );
    await told(of('contacts', list.id), () =>
      admin.agent
        .post('/api/admin/suppressions')
        .send({ email: 'p7@people.test', reason: 'Bounced elsewhere' })
        .expect(201),
    );
    let job = '';
    const isImport = (event: StreamEvent) => of('import', job)(event);
    await told(isImport, async () => {
      job = (
        await user.agent
          .post(`/api/email-lists/${list.id}/subscribers/import`)
          .send({ lines: ['new1@people.test', 'new2@people.test'] })
          .expect(202)
      ).body.id as string;
      await until(async () => {
        const { body } = await user.agent.get('/api/running-tasks').expect(200);
        return body.imports.find(({ id }: { id: string }) => id === job)?.status === 'done';
      });
    });
    const deliveries = app.get(JobQueue).queue('deliveries');
    await deliveries.pause(true, true);
    const id = await send(user, list);
    await stream.next(of('send', id));
    await stream.next(of('usage'));
    await deliveries.resume(true);
    // Fetches the tasks at each event, as a screen does, until they show the end of the send.
    const at = (event: StreamEvent) => stream.events.indexOf(event);
    let looked = stream.events.length;
    const look = async () => {
      looked = at(await stream.next((one) => at(one) >= looked && of('send', id)(one))) + 1;
      return (await user.agent.get('/api/running-tasks').expect(200)).body;
    };
    const shown = ({ sends }: { sends: { id: string; endedAt: string | null }[] }) =>
      sends.find((one) => one.id === id);
    let body = await look();
    while (!shown(body)?.endedAt) body = await look();
    expect(shown(body)).toMatchObject({
      subject: 'Senior Java developer',
      status: 'sent',
      endedAt: expect.any(String),
      counts: { queued: 0 },
    });
    expect(body.imports).toEqual([
      {
        id: job,
        listId: list.id,
        listName: list.name,
        status: 'done',
        total: 2,
        added: 2,
        skipped: 0,
        message: null,
        endedAt: expect.any(String),
      },
    ]);
    stream.leave();
  });

  it('sends no event for changes that no screen shows, and one for every change of a visible field', async () => {
    const { user, stream } = await follow();
    const list = await seedList(app, user, { count: 20 });
    await stream.next(of('contacts', list.id));
    // eslint-disable-next-line staffcast/no-bare-wait -- changes of one second are told together: the events of the list's making are over
    await pause(1_100);
    const before = stream.events.length;
    const since = () => stream.events.slice(before).filter(of('contacts', list.id));
    await rows(app.em(), `update subscriptions set introduction_due = not introduction_due where email_list_id = ?`, [
      list.id,
    ]);
    await heard(stream, user);
    expect(since()).toEqual([]);
    await rows(
      app.em(),
      `update subscriptions set introduction_due = false, name = case when email = 'p7@people.test' then 'Maya' end where email_list_id = ?`,
      [list.id],
    );
    await stream.next((event) => since().includes(event));
    stream.leave();
  });

  it('sends changed counts of a running send, and its pause', async () => {
    const { user, stream } = await follow();
    const list = await seedList(app, user, { count: 400 });
    const id = await send(user, list);
    await stream.next(of('progress', id));
    await settled(user, id);
    stream.leave();
  });

  it('coalesces hundreds of changes at once into two events', async () => {
    const { user, stream } = await follow();
    const before = stream.events.length;
    await rows(
      app.em(),
      `select pg_notify('account_changes', ? || ' list ' || gen_random_uuid()) from generate_series(1, 300)`,
      [user.id],
    );
    await stream.next((event) => stream.events.indexOf(event) >= before && of('list')(event) && !event.data.ids);
    // eslint-disable-next-line staffcast/no-bare-wait -- changes of one second are told together: a later event would have come
    await pause(1_100);
    // The first event is sent at once, the others together.
    expect(stream.events.slice(before).filter(of('list')).length).toBeLessThanOrEqual(2);
    stream.leave();
  });

  it('sends the changes missed while disconnected, and no others', async () => {
    const { user, token, stream } = await follow();
    const list = await seedList(app, user, { count: 1 });
    await stream.next(of('list', list.id));
    stream.leave();
    await heardBy(app, user);
    const other = (await user.agent.post('/api/email-lists').send({ name: 'Made while away' }).expect(201)).body
      .id as string;
    await heardBy(app, user);
    const again = await openStream(`${app.url}/api/events?age=1000`, { Authorization: `Bearer ${token}` });
    await again.next(of('list', other));
    const long = await openStream(`${app.url}/api/events?age=86400000`, { Authorization: `Bearer ${token}` });
    await long.next(({ name }) => name === 'refresh');
    expect(again.events.some(({ name }) => name === 'refresh')).toBe(false);
    for (const one of [again, long]) one.leave();
  });

  it('sends `refresh` after a lost connection to the database is restored', async () => {
    const { stream } = await follow();
    const [gone] = await rows<{ count: number }>(
      app.em(),
      `select count(pg_terminate_backend(pid))::int as count from pg_stat_activity where datname = current_database() and query ~* '^(listen account_changes|select 1$)' and pid <> pg_backend_pid()`,
    );
    expect(gone!.count).toBeGreaterThan(0);
    await stream.next(({ name }) => name === 'refresh');
    stream.leave();
  });

  it("tells and closes the account's oldest stream when another one exceeds the limit, leaves the others, and sets the browser's reconnection delay", async () => {
    const { user, token, stream } = await follow();
    const open = () => openStream(`${app.url}/api/events`, { Authorization: `Bearer ${token}` });
    const more = [await open(), await open(), await open(), await open(), await open()];
    expect(more.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await stream.ended;
    expect(stream.events.at(-1)).toMatchObject({ name: 'replaced', data: {} });
    await until(() => more.every((one) => one.text().includes('retry: 5000')));
    for (const one of more) await heard(one, user);
    expect(more.flatMap(({ events }) => events.filter(({ name }) => name === 'replaced'))).toEqual([]);
    for (const one of more) one.leave();
  });

  it.each([
    [
      'signing out',
      ({ token }: Follower) => app.http().post('/api/auth/logout').set('Authorization', `Bearer ${token}`).expect(200),
    ],
    [
      'a new password',
      ({ user }: Follower) =>
        user.agent
          .post('/api/auth/change-password')
          .send({ currentPassword: PASSWORD, newPassword: 'another battery horse' })
          .expect(200),
    ],
    [
      'a suspension',
      async ({ user }: Follower) =>
        (await app.user({ admin: true })).agent
          .patch(`/api/admin/users/${user.id}`)
          .send({ suspended: true })
          .expect(200),
    ],
  ])('closes with its session, without waiting for a heartbeat: %s', async (_what, act) => {
    const follower = await follow();
    await act(follower);
    await follower.stream.ended;
    expect((await openStream(`${app.url}/api/events`, { Authorization: `Bearer ${follower.token}` })).status).toBe(401);
  });

  it('refuses an invalid age', async () => {
    const { user, stream } = await follow();
    await user.agent.get('/api/events?age=yesterday').expect(400);
    stream.leave();
  });
});

/** Waits until this instance has received the changes committed so far. */
async function heardBy(instance: TestApp, user: SignedUp): Promise<void> {
  const probe = await openStream(`${instance.url}/api/events`, { Authorization: `Bearer ${await tokenOf(user)}` });
  await heard(probe, user);
  probe.leave();
  await until(() => !instance.get(AccountChanges).isFollowed(user.id));
}
