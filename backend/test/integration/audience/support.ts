import { afterAll, beforeAll } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../kit/users.js';
import { prepareProfiles, sendBody, type SeededList, startSending } from '../sending/support.js';

export let app: TestApp;
export const sink = new SmtpSink();
beforeAll(async () => {
  app = await startSending({}, { env: { SMTP_URL: await sink.listen() } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

export const PRO = { set: { tier: 'pro' } };
export const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);

/** Creates the profiles of an account's contacts. */
export const prepare = (user: SignedUp): Promise<void> => prepareProfiles(app, user);

/** Creates a segment of the people who match all rules. @returns its id */
export const segment = async (user: SignedUp, name: string, ...rules: object[]): Promise<string> =>
  (
    await user.agent
      .post('/api/segments')
      .send({ name, filter: { combinator: 'and', rules } })
      .expect(201)
  ).body.id as string;

export const preview = async (user: SignedUp, lists: SeededList | SeededList[], extra: object) =>
  (
    await user.agent
      .post('/api/send-email/preview')
      .send(sendBody(lists, { ...extra }))
      .expect(200)
  ).body as {
    recipientCount: string;
    excluded: Record<string, number>;
    leftOut?: { email: string; reason: string; detail: string }[];
  };

let serial = 0;
/** The subject of the latest `post`. */
export const lastSubject = (): string => `Hotlist ${serial}`;
/** Presses Send for an email. Each gets its own subject, so that it does not count as a repeated one. */
export const post = (user: SignedUp, lists: SeededList | SeededList[], extra: object = {}) => {
  serial += 1;
  return user.agent.post('/api/send-email').send(sendBody(lists, { subject: lastSubject(), ...extra }));
};
export const accepted = async (user: SignedUp, lists: SeededList | SeededList[], extra: object = {}) =>
  (await post(user, lists, extra).expect(202)).body as { id: string; recipientCount: string };

export const leftOut = async (user: SignedUp, id: string, query = '') =>
  (await user.agent.get(`/api/email-history/${id}/left-out?limit=100${query}`).expect(200)).body as {
    email: string;
    reason: string;
    detail: string;
  }[];

/** Addresses of a send's deliveries, in order. */
export const deliveries = async (user: SignedUp, id: string) =>
  (
    (await user.agent.get(`/api/email-history/${id}/deliveries?limit=1000`).expect(200)).body as {
      recipientEmail: string;
    }[]
  )
    .map(({ recipientEmail }) => recipientEmail)
    .sort();
