import { expect } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { setTimeout as pause } from 'node:timers/promises';
import { BounceListener } from '../../../src/modules/bounces/bounce-listener.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import type { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { StoredMail } from '../../kit/sink/sink-modes.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, settled } from '../sending/support.js';

export const BOUNCES = {
  BOUNCE_DOMAIN: 'bounces.staffcast.test',
  BOUNCE_PORT: '0',
  INBOUND_SECRET: 'inbound-secret-of-the-tests',
};

export { complaint, deliveryReport, type ReportGroup } from '../../kit/samples/mail-reports.js';

/** Sends a report to the listener as another mail server would. @returns its answer */
export async function post(app: TestApp, to: string | string[], raw: string): Promise<string> {
  const client = createTransport({ host: '127.0.0.1', port: app.get(BounceListener).port, ignoreTLS: true });
  try {
    return (await client.sendMail({ envelope: { from: '', to }, raw })).response;
  } finally {
    client.close();
  }
}

/** Sends a report again and again, like a mail server, until it is accepted. */
export async function postUntilTaken(app: TestApp, to: string, raw: string, limitMs = 120_000): Promise<number> {
  const end = Date.now() + limitMs;
  for (let tries = 1; ; tries++) {
    try {
      await post(app, to, raw);
      return tries;
    } catch (error) {
      if ((error as { responseCode?: number }).responseCode! >= 500 || Date.now() > end) throw error;
      await pause(200 + Math.random() * 300);
    }
  }
}

/** Envelope sender of the last mail to an address. */
export async function envelopeOf(app: TestApp, address: string, count = 1): Promise<string> {
  return (await app.mails.waitFor(address, count)).at(-1)!.envelopeFrom;
}

export async function suppressionsOf(
  app: TestApp,
  address: string,
): Promise<{ scope: string; reason: string; days: number | null }[]> {
  return rows(
    app.em(),
    `select scope, reason, round(extract(epoch from expires_at - now()) / 86400)::int as days from suppressions where address_hash = sha256(?::bytea) order by scope`,
    [address.toLowerCase()],
  );
}

/** The head of a raw message. */
export const headOf = (raw: string): string => raw.slice(0, raw.indexOf('\r\n\r\n'));
/** Header fields in their order, unfolded, with names in lower case. */
export const fieldsOf = (raw: string): [string, string][] =>
  headOf(raw)
    .split(/\r\n(?![ \t])/)
    .map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line
        .slice(line.indexOf(':') + 1)
        .replace(/\r\n(?=[ \t])/g, '')
        .trim(),
    ]);
/** A header field that occurs once. */
export const field = (raw: string, name: string): string => {
  const found = fieldsOf(raw).filter(([key]) => key === name);
  expect(found).toHaveLength(1);
  return found[0]![1];
};
/** A raw message, parsed by the library. */
export const partsOf = (raw: string) =>
  simpleParser(Buffer.from(raw, 'latin1'), { skipTextToHtml: true, skipHtmlToText: true });

export interface SentMail {
  addresses?: string[];
  name?: string;
  subject?: string;
  content?: string;
  /** Sent instead of the plain content. */
  document?: object;
}

let count = 0;
/** Sends to generated addresses. @returns the stored mails */
export async function sentMail(
  app: TestApp,
  sink: SmtpSink,
  user: SignedUp,
  { addresses = [`someone${++count}@x.test`], name, ...body }: SentMail,
): Promise<StoredMail[]> {
  const id = await send(user, await seedList(app, user, { addresses, ...(name ? { name } : {}) }), {
    subject: `Message ${++count}`,
    ...(body.document && { content: undefined }),
    ...body,
  });
  await settled(user, id);
  return addresses.map((address) => sink.storedOf(address).at(-1)!);
}
