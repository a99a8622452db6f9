import { afterEach, beforeEach } from '@jest/globals';
import type { SMTPPoolOptions } from 'nodemailer';
import type { MailTransport, ReadyMessage } from '../../../src/shared/mail/smtp/bulk-transport.js';
import type { ConnectionGuard } from '../../../src/shared/mail/smtp/mail-accounts.js';
import { NodemailerTransport } from '../../../src/shared/mail/smtp/nodemailer-transport.js';
import { SmtpPool } from '../../../src/shared/mail/smtp/smtp-pool.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';

export let sink: SmtpSink;
let port: number;
let transports: MailTransport[];
beforeEach(async () => {
  sink = new SmtpSink();
  port = Number(new URL(await sink.listen()).port);
  transports = [];
});
afterEach(async () => {
  for (const transport of transports) transport.close();
  await sink.close();
});

/** Opens a transport to the sink. */
export type Open = (options?: SMTPPoolOptions & ConnectionGuard) => MailTransport;

const opens =
  (Client: new (options: SMTPPoolOptions & ConnectionGuard) => MailTransport): Open =>
  (options = {}) => {
    const made = new Client({
      host: '127.0.0.1',
      port,
      ignoreTLS: true,
      name: 'kit.test',
      maxConnections: 3,
      ...options,
    });
    transports.push(made);
    return made;
  };

export const pool = opens(SmtpPool);

/** Both implementations of the client, which must treat each message alike. */
export const CLIENTS: readonly [name: string, open: Open][] = [
  ['pipelined', pool],
  ['nodemailer', opens(NodemailerTransport)],
];

let count = 0;
/** A message with its own id. */
export const message = (to: string, body = 'Hello\r\n'): ReadyMessage => ({
  envelope: { from: 'b-1@bounces.test', to },
  head: `From: a@kit.test\r\nTo: ${to}\r\nSubject: Hi\r\nMessage-ID: <${++count}@kit.test>\r\n`,
  body,
});
/** The error of `work`, which must fail. */
export const failure = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error('it was taken');
    },
    (error: Error) => error as unknown as Record<string, unknown>,
  );
