import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Notice } from '../../../src/modules/notifications/index.js';
import { DailySummary } from '../../../src/modules/notifications/mail/daily-summary.service.js';
import { ImmediateMail } from '../../../src/modules/notifications/mail/immediate-mail.service.js';
import {
  NotificationWithdrawal,
  SummaryWithdrawal,
} from '../../../src/modules/notifications/mail/notification-mail-withdrawal.js';
import { Clock } from '../../../src/shared/clock/clock.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { EventBus } from '../../../src/shared/events/event-bus.js';
import { type PendingMail, SystemMailOutbox } from '../../../src/shared/mail/system-mail/system-mail-outbox.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { finished, imported, notify, stopped, stored } from './support.js';

let app: TestApp;
// No worker runs: the test decides when a round takes place, and mails stay in the outbox.
beforeAll(async () => {
  app = await startApp({ env: { ROLE: 'web' } });
});
afterAll(() => app.close());
afterEach(() => void jest.restoreAllMocks());

interface Mail extends PendingMail {
  id: string;
  kind: string;
  status: string;
}

async function mailsTo({ id }: SignedUp): Promise<Mail[]> {
  const found = await rows<{ id: string; kind: string; status: string; payload: Buffer }>(
    app.em(),
    `select id, kind, status, payload from system_mails where subject_id = ? and kind like 'notifications.%' and payload is not null order by created_at, id`,
    [id],
  );
  return found.map(({ payload, ...mail }) => ({ ...mail, ...app.get(SystemMailOutbox).open(payload) }));
}
const mailNow = () => app.get(ImmediateMail).round();
const choose = (user: SignedUp, kind: string, mail: string, summaryHour = 8) =>
  user.agent
    .put('/api/notification-settings')
    .send({ summaryHour, kinds: [{ kind, inApp: true, mail }] })
    .expect(200);
/**
 * Runs the daily summary at a time. Unless `since` says otherwise, the waiting notifications were written long before
 * it.
 */
async function summariseAt(time: string, since = '2026-01-01T00:00:00Z'): Promise<void> {
  await rows(app.em(), `update notifications set mail_since = ? where mail_since is not null`, [since]);
  jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(time));
  await app.get(DailySummary).round();
}

describe('a notification mail at once', () => {
  it('says what happened and links to it, with no user text in its subject, and is sent once', async () => {
    const user = await app.user();
    const notice = stopped(user.id);
    await notify(app, notice);
    await mailNow();
    await notify(app, notice);
    await mailNow();
    const [mail, ...more] = await mailsTo(user);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ to: user.email, subject: 'Send stopped: the mail server refuses us' });
    expect(mail!.text).toContain('Java hotlist');
    expect(mail!.text).toContain(`http://staffcast.test/history/${(notice.params as { sendId: string }).sendId}`);
    expect(mail!.text).toMatch(/Change what we mail you:\nhttp:\/\/staffcast\.test\/mail-settings\/[\w-]{43}\n/);
    expect(await stored(app, user.id)).toMatchObject([{ is_mailed: true, count: 2, mail_as: 'summary' }]);
  });

  it('is sent ten times an hour at most; the rest joins the summary', async () => {
    const user = await app.user();
    await notify(app, ...Array.from({ length: 7 }, () => stopped(user.id)));
    await mailNow();
    await notify(app, ...Array.from({ length: 7 }, () => stopped(user.id)));
    await mailNow();
    expect(await mailsTo(user)).toHaveLength(10);
    expect((await stored(app, user.id)).filter(({ mail_as }) => mail_as === 'summary')).toHaveLength(4);
  });

  it("follows the user's choice, also one made meanwhile", async () => {
    const [chooser, off] = [await app.user(), await app.user()];
    await choose(chooser, 'import.finished', 'now');
    await notify(app, imported(chooser.id, 'java', 3, 1), stopped(off.id));
    await choose(off, 'send.stopped', 'never');
    await mailNow();
    expect(await mailsTo(chooser)).toMatchObject([{ subject: 'Import finished: 3 added, 1 refused' }]);
    expect(await mailsTo(off)).toEqual([]);
    expect(await stored(app, off.id)).toMatchObject([{ mail_as: null, is_mailed: false }]);
  });

  it('is not sent to suspended and unverified accounts, or for what was read', async () => {
    const [suspended, unverified, reader] = [await app.user(), await app.user({ verified: false }), await app.user()];
    await notify(app, stopped(suspended.id), stopped(unverified.id), stopped(reader.id));
    await rows(app.em(), `update users set suspended_at = now() where id = ?`, [suspended.id]);
    await reader.agent.post('/api/notifications/read').send({ all: true }).expect(200);
    await mailNow();
    await summariseAt('2027-02-01T23:00:00Z');
    for (const user of [suspended, unverified, reader]) expect(await mailsTo(user)).toEqual([]);
  });

  it('is withdrawn where its account is suspended before it was sent', async () => {
    const [user, stays] = [await app.user(), await app.user()];
    await notify(app, stopped(user.id), stopped(stays.id));
    await mailNow();
    await rows(app.em(), `update users set suspended_at = now() where id = ?`, [user.id]);
    await app.get(NotificationWithdrawal).withdraw();
    await app.get(SummaryWithdrawal).withdraw();
    expect([(await mailsTo(user)).length, (await mailsTo(stays)).length]).toEqual([0, 1]);
  });
});

describe('the daily summary', () => {
  const EIGHT = { zones: ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'] };

  it("is sent once, at 8 in the user's zone, also on the days on which clocks change", async () => {
    // On 14 March 2027 New York changes from UTC-5 to UTC-4, and on 4 April 2027 Lord Howe from UTC+11 to UTC+10:30.
    const days = [
      ['America/New_York', '2027-03-13T13:00:00Z'],
      ['America/New_York', '2027-03-14T12:00:00Z'],
      ['Asia/Kolkata', '2027-03-14T02:30:00Z'],
      ['Australia/Lord_Howe', '2027-04-02T21:00:00Z'],
      ['Australia/Lord_Howe', '2027-04-03T21:30:00Z'],
    ] as const;
    expect(new Set(days.map(([zone]) => zone))).toEqual(new Set(EIGHT.zones));
    for (const [zone, eight] of days) {
      const user = await app.user({ set: { time_zone: zone } });
      await notify(app, finished(user.id, 3_600));
      const minute = (n: number) => new Date(Date.parse(eight) + n * 60_000).toISOString();
      await summariseAt(minute(-1));
      expect(await mailsTo(user)).toEqual([]);
      await summariseAt(minute(0));
      await notify(app, finished(user.id, 3_600));
      await summariseAt(minute(1));
      expect((await mailsTo(user)).map(({ subject }) => subject)).toEqual(['Your Staffcast day']);
      await summariseAt(minute(25 * 60));
      expect(await mailsTo(user)).toHaveLength(2);
    }
  });

  it("is sent at the user's hour, at its end where the clocks skip it, and once where they repeat it", async () => {
    const skipped = await app.user({ set: { time_zone: 'America/New_York' } });
    const doubled = await app.user({ set: { time_zone: 'America/New_York' } });
    await choose(skipped, 'send.finished', 'summary', 2);
    await choose(doubled, 'send.finished', 'summary', 1);
    await notify(app, finished(skipped.id, 3_600), finished(doubled.id, 3_600));
    await summariseAt('2027-03-14T06:59:00Z');
    expect(await mailsTo(skipped)).toEqual([]);
    await summariseAt('2027-03-14T07:00:00Z');
    expect(await mailsTo(skipped)).toHaveLength(1);
    for (const time of ['2027-11-07T05:00:00Z', '2027-11-07T06:00:00Z']) {
      await notify(app, finished(doubled.id, 3_600));
      await summariseAt(time);
    }
    // One mail in March and one in November.
    expect(await mailsTo(doubled)).toHaveLength(2);
  });

  it('has at most 20 lines, only unread ones, no short sends, and a link to turn it off; without unread lines there is no mail', async () => {
    const [user, reader] = [await app.user(), await app.user()];
    await notify(app, finished(user.id, 60), finished(reader.id, 3_600));
    await notify(app, ...Array.from({ length: 25 }, () => finished(user.id, 3_600)));
    await reader.agent.post('/api/notifications/read').send({ all: true }).expect(200);
    await summariseAt('2027-05-01T23:00:00Z');
    expect(await mailsTo(reader)).toEqual([]);
    const [mail] = await mailsTo(user);
    expect(mail!.text.match(/Send finished: 702 of 720 delivered · Java hotlist/g)).toHaveLength(20);
    expect(mail!.text).toContain('And 5 more.');
    expect(mail!.text).toContain('Change what we mail you');
    expect(mail!.oneClickUrl).toMatch(/^http:\/\/staffcast\.test\/mail-settings\/[\w-]{43}$/);
    await summariseAt('2027-05-02T23:00:00Z');
    expect(await mailsTo(user)).toHaveLength(1);
  });

  it('leaves what is written after its hour to the next day', async () => {
    const user = await app.user();
    await notify(app, finished(user.id, 3_600));
    await summariseAt('2027-05-01T09:00:00Z', '2027-05-01T08:30:00Z');
    expect(await mailsTo(user)).toEqual([]);
    await summariseAt('2027-05-02T08:00:00Z', '2027-05-01T08:30:00Z');
    expect(await mailsTo(user)).toHaveLength(1);
  });
});

describe('a notification mail that bounces', () => {
  const refuse = async (user: SignedUp, notice: Notice) => {
    await notify(app, notice);
    await mailNow();
    const mail = (await mailsTo(user)).at(-1);
    if (mail) await app.get(EventBus).emit('system-mail.refused', { mailId: mail.id, kind: mail.kind });
  };

  it('stops these mails at the second time, with a line under the bell, until the user turns them on again', async () => {
    const user = await app.user();
    await refuse(user, stopped(user.id));
    expect((await user.agent.get('/api/notification-settings').expect(200)).body.mailIsOff).toBe(false);
    await refuse(user, stopped(user.id));
    expect((await user.agent.get('/api/notification-settings').expect(200)).body.mailIsOff).toBe(true);
    const lines = (await user.agent.get('/api/notifications').expect(200)).body as { kind: string; url: string }[];
    expect(lines[0]).toMatchObject({ kind: 'mail.off', url: '/settings#notifications' });
    await notify(app, stopped(user.id), finished(user.id, 3_600));
    await mailNow();
    await summariseAt('2027-06-01T23:00:00Z');
    expect(await mailsTo(user)).toHaveLength(2);
    await user.agent.put('/api/notification-settings').send({ summaryHour: 8, kinds: [], mailAgain: true }).expect(200);
    await notify(app, stopped(user.id));
    await mailNow();
    expect(await mailsTo(user)).toHaveLength(3);
  });
});
