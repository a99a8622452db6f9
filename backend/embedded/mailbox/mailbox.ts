import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CliError } from '../../../scripts/lib/say.mjs';
import { readyMessage, startProcess, type ProcessContext } from '../processes/managed-process.ts';
import { isPortFree } from '../processes/ports.ts';
import type { Service } from '../postgres/postgres.ts';

export interface MailboxOptions {
  /** Folder for the caught mails. */
  home: string;
  /** Port of the mailbox's page and REST API. */
  port: number;
  /** Host name of the app. The mailbox accepts it as a name of its own. */
  appHost?: string;
}

/** Message that the mailbox's process sends once it listens. */
export interface MailboxReady {
  smtpPort: number;
}

/** Starts the mailbox that catches all outgoing mail: SMTP on a free port, page and REST API on the given one. */
export async function startMailbox(
  context: ProcessContext,
  options: MailboxOptions,
): Promise<Service & { pageUrl: string }> {
  if (!(await isPortFree(options.port))) {
    throw new CliError(
      `Port ${options.port} for the mailbox's page is taken by another program. ` +
        'Free it, or set MAILBOX_PORT to another port.',
    );
  }
  mkdirSync(options.home, { recursive: true, mode: 0o700 });
  const part = startProcess(context, {
    name: 'mailbox',
    command: process.execPath,
    ipc: true,
    args: [join(import.meta.dirname, 'mailbox-process.ts'), options.home, String(options.port), options.appHost ?? ''],
  });
  const { smtpPort } = await readyMessage<MailboxReady>(part, 'embedded mailbox');
  return {
    url: `smtp://127.0.0.1:${smtpPort}`,
    pageUrl: `http://localhost:${options.port}`,
    part,
    stop: () => part.stop(3_000),
    exited: part.exited,
  };
}
