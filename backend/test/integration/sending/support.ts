import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SendingTuning } from '../../../src/modules/sending/sending-tuning.js';
import { rows } from '../../../src/shared/database/rows.js';
import { type AppOptions, startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

/** The product with the sending path's waits cut to seconds. */
export function startSending(tuning: Partial<SendingTuning> = {}, options: AppOptions = {}): Promise<TestApp> {
  const value = Object.assign(new SendingTuning(), { sweepMs: 500, holdSeconds: 1, progressMs: 50, ...tuning });
  return startApp({ ...options, override: (builder) => (options.override?.(builder) ?? builder).overrideProvider(SendingTuning).useValue(value) });
}

export interface SeededList {
  id: string;
  name: string;
}

/** A list with contacts straight in the database: `addresses`, or p1…pn at a domain. */
export async function seedList(
  app: TestApp,
  owner: { id: string } | null,
  { count = 0, addresses = Array.from({ length: count }, (_, i) => `p${i + 1}@people.test`), confirmed = true, type = 'job-posts', name = 'Java people' } : {
    count?: number; addresses?: string[]; confirmed?: boolean; type?: string; name?: string;
  } = {},
): Promise<SeededList> {
  const em = app.em();
  const id = owner ? randomUUID() : (await rows<{ id: string }>(em, `select id from email_lists where is_default`))[0]!.id;
  if (owner) await rows(em, `insert into email_lists (id, name, slug, owner_id) values (?, ?, ?, ?)`, [id, name, `s-${id}`, owner.id]);
  await rows(
    em,
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, lower(e), sha256(lower(e)::bytea), ?, ?, now(), rtrim(translate(encode(sha256((e || ?)::bytea), 'base64'), '+/', '-_'), '='), ?, 'none'
     from jsonb_array_elements_text(?::jsonb) e`,
    [type, confirmed, id, id, JSON.stringify(addresses)],
  );
  return { id, name };
}

export const sendBody = (list: SeededList | SeededList[], extra: Record<string, unknown> = {}) => ({
  emailListIds: (Array.isArray(list) ? list : [list]).map(({ id }) => id), subject: 'Senior Java developer', content: 'Hello,\nare you free?', emailType: 'job-post', ...extra,
});

export async function send(user: SignedUp, list: SeededList, extra: Record<string, unknown> = {}): Promise<string> {
  const answer = await user.agent.post('/api/send-email').send(sendBody(list, extra)).expect(202);
  return answer.body.id as string;
}

/** Waits until a send has ended and returns its entry. */
export async function settled(user: SignedUp, id: string, limitMs = 60_000) {
  const end = Date.now() + limitMs;
  for (;;) {
    const { body } = await user.agent.get(`/api/email-history/${id}`).expect(200);
    if (body.status !== 'pending') return body as { status: string; recipientCount: string; counts: Record<string, number>; lists: { id: string; name: string }[] };
    if (Date.now() > end) throw new Error(`the send is still pending: ${JSON.stringify(body.counts)}`);
    await pause(50);
  }
}

export async function sentToday(user: SignedUp): Promise<string> {
  return (await user.agent.get('/api/usage/today').expect(200)).body.emailsSent as string;
}
