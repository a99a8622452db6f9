import { createTransport } from 'nodemailer';
import { setTimeout as pause } from 'node:timers/promises';
import { BounceListener } from '../../../src/modules/sending/bounces/bounce-listener.js';
import { rows } from '../../../src/shared/database/rows.js';
import type { TestApp } from '../../kit/app.js';

export const BOUNCES = { BOUNCE_DOMAIN: 'bounces.staffcast.test', BOUNCE_PORT: '0', INBOUND_SECRET: 'inbound-secret-of-the-tests' };

export { complaint, deliveryReport, type ReportGroup } from '../../kit/mail-reports.js';

/** Hands a report to the listener as another mail server would. @returns its answer */
export async function post(app: TestApp, to: string | string[], raw: string): Promise<string> {
  const client = createTransport({ host: '127.0.0.1', port: app.get(BounceListener).port, ignoreTLS: true });
  try {
    return (await client.sendMail({ envelope: { from: '', to }, raw })).response;
  } finally {
    client.close();
  }
}

/** As a mail server does: again and again until the report is taken. */
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

/** Envelope sender of the mail that an address got last. */
export async function envelopeOf(app: TestApp, address: string, count = 1): Promise<string> {
  return (await app.mails.waitFor(address, count)).at(-1)!.envelopeFrom;
}

export async function suppressionsOf(app: TestApp, address: string): Promise<{ scope: string; reason: string; days: number | null }[]> {
  return rows(
    app.em(),
    `select scope, reason, round(extract(epoch from expires_at - now()) / 86400)::int as days from suppressions where address_hash = sha256(?::bytea) order by scope`,
    [address.toLowerCase()],
  );
}
