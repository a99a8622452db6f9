import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../scripts/lib/say.mjs';
import { startPart, type Part, type Surroundings } from './part.ts';
import { isPortFree } from './ports.ts';
import type { Service } from './postgres.ts';

export interface MailboxOptions {
  /** Where the caught mails are kept. */
  home: string;
  /** The port of its page and REST API. */
  port: number;
  /** The product's own name, by which the mailbox may be called too. */
  appHost?: string;
}

/** What the mailbox's process tells us once it listens. */
export interface MailboxReady { smtpPort: number }

/** Starts the mailbox that catches all outgoing mail: SMTP on a free port, page and REST API on the given one. */
export async function startMailbox(around: Surroundings, options: MailboxOptions): Promise<Service & { pageUrl: string }> {
  if (!(await isPortFree(options.port))) {
    throw new Refusal(`Port ${options.port} for the mailbox's page is taken by another program. `
      + 'Free it, or set MAILBOX_PORT to another port.');
  }
  mkdirSync(options.home, { recursive: true, mode: 0o700 });
  const part = startPart(around, {
    name: 'mailbox', command: process.execPath, ipc: true,
    args: [join(import.meta.dirname, 'mailbox-process.ts'), options.home, String(options.port), options.appHost ?? ''],
  });
  const smtpPort = await ready(part);
  return {
    url: `smtp://127.0.0.1:${smtpPort}`, pageUrl: `http://localhost:${options.port}`,
    part, stop: () => part.stop(3_000), exited: part.exited,
  };
}

async function ready(part: Part): Promise<number> {
  const message = new Promise<MailboxReady>((resolve) => part.child.once('message', (sent) => resolve(sent as MailboxReady)));
  const first = await Promise.race([message, part.exited.then(() => undefined)]);
  part.child.disconnect?.();
  if (first) return first.smtpPort;
  throw new Refusal(`The embedded mailbox did not start. The end of its log:\n${part.tail()}`);
}
