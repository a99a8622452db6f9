import { randomUUID } from 'node:crypto';
import { MailAccountTuning } from '../../../src/modules/mail-accounts/provider-test.service.js';
import { DeliverySweeper } from '../../../src/modules/delivery/delivery-sweeper.js';
import { DeliveryTuning } from '../../../src/modules/delivery/delivery-tuning.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { type AppOptions, startApp, type TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

/** Starts the product with the delivery engine's waits reduced to seconds. */
export function startSending(
  { testMailMs, ...tuning }: Partial<DeliveryTuning & MailAccountTuning> = {},
  options: AppOptions = {},
): Promise<TestApp> {
  const accounts = Object.assign(new MailAccountTuning(), testMailMs === undefined ? {} : { testMailMs });
  const value = Object.assign(new DeliveryTuning(), { sweepMs: 500, holdSeconds: 1, progressMs: 50, ...tuning });
  return startApp({
    ...options,
    override: (builder) =>
      (options.override?.(builder) ?? builder)
        .overrideProvider(DeliveryTuning)
        .useValue(value)
        .overrideProvider(MailAccountTuning)
        .useValue(accounts),
  });
}

/** Starts the product with an SMTP sink as its mail server. */
export async function startWithSink(tuning: Partial<DeliveryTuning> = {}): Promise<{ app: TestApp; sink: SmtpSink }> {
  const sink = new SmtpSink();
  return { sink, app: await startSending(tuning, { env: { SMTP_URL: await sink.listen() } }) };
}

export interface SeededList {
  id: string;
  name: string;
}

/** Inserts a list with contacts by SQL: `addresses`, or p1…pn at a domain. */
export async function seedList(
  app: TestApp,
  owner: { id: string } | null,
  {
    count = 0,
    addresses = Array.from({ length: count }, (_, i) => `p${i + 1}@people.test`),
    confirmed = true,
    type = 'job-posts',
    name = 'Java people',
  }: {
    count?: number;
    addresses?: string[];
    confirmed?: boolean;
    type?: string;
    name?: string;
  } = {},
): Promise<SeededList> {
  const em = app.em();
  const id = owner
    ? randomUUID()
    : (await rows<{ id: string }>(em, `select id from email_lists where is_default`))[0]!.id;
  if (owner)
    await rows(em, `insert into email_lists (id, name, slug, owner_id) values (?, ?, ?, ?)`, [
      id,
      name,
      `s-${id}`,
      owner.id,
    ]);
  await rows(
    em,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, lower(e), sha256(lower(e)::bytea), ?, ?, now(), rtrim(translate(encode(sha256((e || ?)::bytea), 'base64'), '+/', '-_'), '='), ?, 'none'
     from jsonb_array_elements_text(?::jsonb) e`,
    [type, confirmed, id, id, JSON.stringify(addresses)],
  );
  return { id, name };
}

/** Addresses of `seedTaggedPeople`. */
export const TAGGED_PEOPLE = ['a1@tags.test', 'b2@tags.test', 'c3@tags.test'];

/**
 * Inserts a list whose people differ in what merge tags show: the first has a name and two columns of the list, the
 * second a first name with a line break and a tag in it, the third nothing.
 */
export async function seedTaggedPeople(app: TestApp, owner: { id: string }): Promise<SeededList> {
  const list = await seedList(app, owner, { addresses: TAGGED_PEOPLE });
  const query = (sql: string, params: unknown[]) => rows(app.em(), sql, params);
  await query(
    `update subscriptions set name = 'Priya & Co', first_name = 'Priya', attributes = '{"Company": "A <b> \\u00fc", "Visa": "H1B"}' where email_list_id = ? and email = 'a1@tags.test'`,
    [list.id],
  );
  await query(`update subscriptions set first_name = ? where email_list_id = ? and email = 'b2@tags.test'`, [
    'A\r\nBcc: e@x.test {{company}}',
    list.id,
  ]);
  await query(`insert into contact_fields values (?, 'Company'), (?, 'Visa')`, [list.id, list.id]);
  return list;
}

/** Creates the profiles of an account's contacts. */
export async function prepareProfiles(app: TestApp, owner: { id: string }): Promise<void> {
  await rows(
    app.em(),
    `insert into contact_preparations (owner_id, total) values (?, 1) on conflict (owner_id) do update set finished_at = null`,
    [owner.id],
  );
  const { ProfileBackfill } = await import('../../../src/modules/lists/index.js');
  while (await app.get(ProfileBackfill).batch());
}

export const sendBody = (list: SeededList | SeededList[], extra: Record<string, unknown> = {}) => ({
  emailListIds: (Array.isArray(list) ? list : [list]).map(({ id }) => id),
  subject: 'Senior Java developer',
  content: 'Hello,\nare you free?',
  emailType: 'job-post',
  ...extra,
});

/** A send of a document, with a unique subject. */
export const documentBody = (list: SeededList | SeededList[], document: object, extra: object = {}) => ({
  ...sendBody(list),
  content: undefined,
  subject: `Hotlist ${randomUUID()}`,
  document,
  ...extra,
});

export async function send(user: SignedUp, list: SeededList, extra: Record<string, unknown> = {}): Promise<string> {
  const answer = await user.agent.post('/api/send-email').send(sendBody(list, extra)).expect(202);
  return answer.body.id as string;
}

/** Waits until a send has ended and returns its entry. */
export async function settled(user: SignedUp, id: string, limitMs?: number) {
  let body: {
    status: string;
    recipientCount: string;
    counts: Record<string, number>;
    lists: { id: string; name: string }[];
  };
  const isOver = async () => {
    body = (await user.agent.get(`/api/email-history/${id}`).expect(200)).body;
    return body.status !== 'pending';
  };
  await until('the send has ended', isOver, limitMs).catch((error: Error) => {
    throw new Error(`${error.message}; ${JSON.stringify(body?.counts)}`);
  });
  return body!;
}

/**
 * Sweeps as the product does every few seconds, and lets the workers run the jobs that this creates. For accounts whose
 * sends are paused or have ended.
 */
export async function sweptThrough(app: TestApp, user: SignedUp): Promise<void> {
  for (let sweeps = 0; sweeps < 3; sweeps++) {
    await app.get(DeliverySweeper).sweep();
    await untilAccountSettled(app, user);
  }
}

/**
 * Waits until messages were tried on the mail account and failed at least `times` times since the test reset the
 * counter.
 */
export async function untilMailAccountFailed(app: TestApp, times = 1): Promise<void> {
  await until(
    `the mail account failed ${times} times`,
    async () => (await rows(app.em(), `select 1 from email_providers where failures >= ?`, [times])).length > 0,
  );
}

export async function sentToday(user: SignedUp): Promise<string> {
  return (await user.agent.get('/api/usage/today').expect(200)).body.emailsSent as string;
}
