import { randomUUID } from 'node:crypto';
import { createTransport } from 'nodemailer';
import type { SendMailOptions } from 'nodemailer';
import type { Settings } from '../src/shared/config/settings.js';
import { MessageComposer } from '../src/modules/delivery/message/message-composer.js';
import { attachedFile, tailOf } from './attached-file.js';
import { CONTENT, LIST_NAME, SUBJECT } from './message.js';
import { PreparedMessages } from '../src/modules/delivery/message/prepared-message.js';
import { SmtpPool } from '../src/shared/mail/smtp/smtp-pool.js';
import { smtpOptions } from '../src/shared/mail/smtp/smtp-options.js';
import { lowerPriority } from '../src/shared/lifecycle/lower-priority.js';
import type { BareOptions } from './processes.js';

// A mailer without database and queue. It sends either with nodemailer, which composes each message (its rate is N in
// the goals), or with the product's renderer and transport. It has the CPU priority of the product's worker, so that
// other processes slow both equally.
lowerPriority();
const options = JSON.parse(process.argv[2]!) as BareOptions;
const settings = {
  appUrl: 'http://localhost:3000',
  mailFrom: 'no-reply@bench.test',
  mailDomain: 'bench.test',
  postalAddress: '1 Bench Street',
  jwtSecret: 'x'.repeat(32),
  smtpUrl: options.smtpUrl,
  dkim: options.dkim ? { domain: 'bench.test', selector: 'bench', privateKey: options.dkim } : undefined,
} as Settings;
const composer = new MessageComposer(settings);
const listId = randomUUID();
const prepared = composer.prepare({
  id: randomUUID(),
  userId: randomUUID(),
  subject: SUBJECT,
  content: CONTENT,
  sentAt: new Date(),
  senderName: 'Ann Kumar',
  senderAgency: 'Acme',
  replyTo: 'ann@sender.test',
  attached: options.attached !== undefined,
});
const recipient = (n: number) => ({
  deliveryId: randomUUID(),
  emailListId: listId,
  email: `p${n}@people.test`,
  name: `Person Ünique ${n}`,
  listName: LIST_NAME,
  unsubscribeToken: randomUUID().replaceAll('-', '').padEnd(43, 'x'),
  introductionDue: false,
});

const tail = options.attached ? await tailOf(prepared.id, attachedFile(options.attached)) : null;

const send = options.kind === 'nodemailer' ? nodemailer() : own();
const before = process.cpuUsage();
let next = 0;
const sendLoop = async (): Promise<void> => {
  while (next < options.messages) await send(next++);
};
await Promise.all(Array.from({ length: options.connections * 2 }, sendLoop));
const { user, system } = process.cpuUsage(before);
process.send!((user + system) / options.messages, undefined, undefined, () => process.exit(0));

function nodemailer(): (n: number) => Promise<unknown> {
  const url = new URL(options.smtpUrl);
  const transport = createTransport({
    pool: true,
    host: url.hostname,
    port: Number(url.port),
    ignoreTLS: true,
    maxConnections: options.connections,
    maxMessages: Infinity,
    dkim: settings.dkim && {
      domainName: settings.dkim.domain,
      keySelector: settings.dkim.selector,
      privateKey: settings.dkim.privateKey,
    },
  } as never);
  return (n) => transport.sendMail(composer.compose(prepared, recipient(n)) as SendMailOptions as never);
}

function own(): (n: number) => Promise<unknown> {
  const pool = new SmtpPool({ ...smtpOptions(settings, options.connections) });
  const messages = new PreparedMessages(composer, prepared);
  return async (n) => {
    const message = await messages.for(recipient(n));
    if (tail) message.tail = tail;
    return pool.send(message);
  };
}
