import { isIP, type Socket } from 'node:net';
import SMTPConnection, { type SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { ConnectionGuard } from './mail-accounts.js';
import { SMTP_LIMITS } from './smtp-options.js';

export interface SessionOptions extends SMTPConnectionOptions, ConnectionGuard {
  auth?: { user?: string; pass?: string };
}

/** Creates an error with nodemailer's fields and `messageEnded`. */
export function fault(
  message: string,
  fields: { code: string; command: string; response?: string; messageEnded?: boolean },
): Error {
  const responseCode = Number(fields.response?.slice(0, 3)) || undefined;
  return Object.assign(new Error(fields.response ? `${message}: ${fields.response}` : message), {
    messageEnded: false,
    ...fields,
    responseCode,
  });
}

/**
 * Connects, negotiates TLS and signs in with nodemailer's SMTPConnection, and then takes over its socket.
 * @throws nodemailer's error if the server is unreachable, busy or refuses the account
 */
export async function connect(options: SessionOptions): Promise<{ socket: Socket; extensions: string[] }> {
  const connection = new SMTPConnection(await checked(options));
  try {
    await setUp(connection, options.auth);
  } catch (error) {
    connection.close();
    throw error;
  }
  return { socket: takeSocket(connection), extensions: extensionsOf(connection) };
}

/** Replaces the host in the options by its checked address, so that no other address can be contacted. */
async function checked(options: SessionOptions): Promise<SessionOptions> {
  const { addressOf, host } = options;
  if (!addressOf || !host) return options;
  return { ...options, host: await addressOf(host), ...(isIP(host) === 0 && { servername: host }) };
}

function setUp(connection: SMTPConnection, auth?: { user?: string; pass?: string }): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const late = setTimeout(
      () => reject(fault('the mail server does not answer', { code: 'ETIMEDOUT', command: 'CONN' })),
      SMTP_LIMITS.setUpMs,
    );
    const done = (error?: Error | null): void => {
      clearTimeout(late);
      if (error) reject(error);
      else resolve();
    };
    connection.on('error', done);
    connection.once('end', () =>
      done(fault('the server closed the connection', { code: 'ECONNECTION', command: 'CONN' })),
    );
    connection.connect((error?: Error) => {
      if (error || !auth?.user) done(error);
      else connection.login({ user: auth.user, pass: auth.pass ?? '' }, (refused: Error | null) => done(refused));
    });
  });
}

interface Internals {
  _socket: Socket;
  _supportedExtensions: string[];
  _clearPhase(): void;
}

/**
 * Takes the socket from nodemailer, which has no public method for this. Its version is pinned, and a test covers this
 * access.
 */
function takeSocket(connection: SMTPConnection): Socket {
  const internals = connection as unknown as Internals;
  internals._clearPhase();
  const socket = internals._socket;
  for (const event of ['data', 'error', 'close', 'end', 'timeout']) socket.removeAllListeners(event);
  return socket;
}

const extensionsOf = (connection: SMTPConnection): string[] =>
  (connection as unknown as Internals)._supportedExtensions;
