import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { CaughtMail } from '../../kit/mail-catcher.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

/** Confirmation mails and invites, oldest first. */
export const asksOf = (app: TestApp): CaughtMail[] =>
  app.mails.all.filter(({ subject }) => /^Confirm your subscription|invites you to/.test(subject));

export const query = <T extends object>(app: TestApp, sql: string, params: unknown[] = []) =>
  rows<T>(app.em(), sql, params);

export async function newList(user: SignedUp, body: object = {}): Promise<{ id: string; slug: string }> {
  return (
    await user.agent
      .post('/api/email-lists')
      .send({ name: 'Java vendors', ...body })
      .expect(201)
  ).body;
}

export async function importLines(user: SignedUp, list: string, lines: string[], more: object = {}): Promise<string> {
  const path = `/api/email-lists/${list}/subscribers/import`;
  const { body } = await user.agent
    .post(path)
    .send({ lines, ...more })
    .expect(202);
  await until('the import is done', async () => {
    const { body: job } = await user.agent.get(`${path}/${body.id}`).expect(200);
    if (job.status === 'failed') throw new Error('the import is failed');
    return job.status === 'done';
  });
  return body.id;
}

export const add = (user: SignedUp, list: string, email: string) =>
  user.agent.post(`/api/email-lists/${list}/subscribers`).send({ email });

export const subscribe = (app: TestApp, body: object) =>
  app
    .http()
    .post('/api/subscribe')
    .send({ subscriptionType: 'job-posts', ...body });

/**
 * Waits until every due confirmation mail was sent or held back by its budget, and the outbox is empty. To show that
 * the dispatcher ran, it lets a visitor subscribe to the default list, whose mails have no budget.
 */
export async function settled(app: TestApp): Promise<void> {
  for (let n = 0; n < 2; n += 1) {
    const probe = `probe-${Math.random().toString(36).slice(2)}@probe.example`;
    await subscribe(app, { email: probe }).expect(200);
    await app.mails.waitFor(probe);
  }
  await until(
    'the outbox is empty',
    async () =>
      (
        await query(
          app,
          `select 1 from system_mails where status in ('queued', 'sending') and next_attempt_at <= now() limit 1`,
        )
      ).length === 0,
  );
}

/** Moves asks, counts and mails this many days and an hour into the past. */
export async function daysLater(app: TestApp, days: number): Promise<void> {
  await query(app, `update outreach_asks set asked_at = asked_at - make_interval(days => ?::int), day = day - ?::int`, [
    days,
    days,
  ]);
  await query(app, `update outreach_days set day = day - 1000 - ?::int`, [days]);
  await query(app, `update outreach_days set day = day + 1000`);
  await hoursLater(app, 24 * days + 1);
  await query(app, `update system_mails set created_at = created_at - make_interval(days => ?::int)`, [days]);
  await query(
    app,
    `update subscriptions set confirmation_sent_at = confirmation_sent_at - make_interval(days => ?::int), opt_in_due_at = opt_in_due_at - make_interval(days => ?::int)`,
    [days, days],
  );
}

/** Moves only the counted mails of the budgets this many hours into the past. */
export async function hoursLater(app: TestApp, hours: number): Promise<void> {
  await query(app, `update outreach_hours set hour = hour - interval '1000 days' - make_interval(hours => ?::int)`, [
    hours,
  ]);
  await query(app, `update outreach_hours set hour = hour + interval '1000 days'`);
}
