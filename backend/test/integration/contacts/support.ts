import { randomBytes } from 'node:crypto';
import { ExportParts } from '../../../src/shared/personal-data.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';

export const address = (domain = 'vendor.example') => `p${randomBytes(5).toString('hex')}@${domain}`;

export const newList = async (user: SignedUp, name = 'Java vendors'): Promise<string> =>
  (await user.agent.post('/api/email-lists').send({ name }).expect(201)).body.id as string;

export const newContact = async (user: SignedUp, body: object = {}) =>
  (
    await user.agent
      .post('/api/contacts')
      .send({ email: address(), ...body })
      .expect(201)
  ).body;

export const addTo = async (user: SignedUp, list: string, body: object) =>
  (await user.agent.post(`/api/email-lists/${list}/subscribers`).send(body).expect(201)).body as {
    id: string;
    profileId: string;
  };

export const sqlOf =
  (app: () => TestApp) =>
  <T extends object>(sql: string, params: unknown[] = []): Promise<T[]> =>
    rows<T>(app().em(), sql, params);

export const newTag = async (user: SignedUp, name: string): Promise<number> =>
  (await user.agent.post('/api/contact-tags').send({ name }).expect(201)).body.id as number;

export const newField = async (user: SignedUp, body: object) =>
  (await user.agent.post('/api/contact-fields').send(body).expect(201)).body as { id: string };

/** A filter for everybody who matches all rules. */
export const filterOf = (...rules: object[]) => ({ combinator: 'and', rules });
export const texas = filterOf({ field: 'region', operator: 'is', value: 'tx' });

/** Waits until a bulk change has ended. */
export async function bulkEnded(user: SignedUp, jobId: string) {
  let job: { status: string; total: number; done: number; refused: { id: string; reason: string }[] } | undefined;
  await until(async () => {
    job = (await user.agent.get(`/api/contacts/bulk/${jobId}`).expect(200)).body;
    return job!.status === 'done' || job!.status === 'failed';
  });
  return job!;
}

/** The people in the account's data export, with quotation marks unescaped. */
export async function exportedPeople(app: TestApp, user: SignedUp): Promise<string> {
  const people = app
    .get(ExportParts)
    .filesOf(user.id)
    .find(({ file }) => file === 'people.csv')!;
  const texts: string[] = [];
  for await (const text of people.text()) texts.push(text);
  return texts.join('').replaceAll('""', '"');
}
