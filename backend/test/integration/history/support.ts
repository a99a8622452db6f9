import { afterAll, beforeAll } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

export interface Day {
  date: string;
  sends: number;
  sent: number;
  failed: number;
  bounced: number;
  contactsAdded: number;
  unsubscribed: number;
}

export let app: TestApp;
export const sql = <T extends object = object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

export const stats = async (user: SignedUp) => (await user.agent.get('/api/dashboard/stats').expect(200)).body;
export const trends = async (user: SignedUp): Promise<Day[]> =>
  (await user.agent.get('/api/dashboard/trends').expect(200)).body;
export const outcomes = async (user: SignedUp) => (await user.agent.get('/api/dashboard/outcomes').expect(200)).body;

export async function newList(user: SignedUp, name = 'Java vendors'): Promise<string> {
  return (await user.agent.post('/api/email-lists').send({ name }).expect(201)).body.id;
}

export async function addContact(user: SignedUp, listId: string, email: string): Promise<string> {
  return (await user.agent.post(`/api/email-lists/${listId}/subscribers`).send({ email }).expect(201)).body.id;
}

/** Inserts the record of a send at this time, with deliveries in these statuses. */
export async function recordSend(
  user: SignedUp,
  sentAt: string,
  statuses: string[] = [],
  subject = 'A job',
): Promise<string> {
  const id = randomUUID();
  await sql(
    `insert into email_history (id, user_id, subject, content, email_type, recipient_count, status, sent_at, usage_date, content_hash, sender_name, reply_to)
     values (?, ?, ?, 'x', 'job-post', ?, 'sent', ?, current_date, ?, 'Ann', 'ann@sender.test')`,
    [id, user.id, subject, statuses.length, sentAt, id],
  );
  await sql(
    `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, subject, status)
     select ?, ?, ord, gen_random_uuid(), gen_random_uuid(), 'p' || ord || '@people.test', ?, status from jsonb_array_elements_text(?::jsonb) with ordinality as s(status, ord)`,
    [user.id, id, subject, JSON.stringify(statuses)],
  );
  return id;
}
