// The mailbox's own process: MailDev, told by arguments where to keep mail and which port its page has.
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { MailDev } from 'maildev';
import type { MailboxReady } from './mailbox.ts';

const KEPT_MAILS = 5_000;

const [home = '', port = ''] = process.argv.slice(2);
const mailbox = new MailDev({
  smtp: 0, ip: '127.0.0.1', web: Number(port), webIp: '127.0.0.1', mailDirectory: home, maxEmails: KEPT_MAILS, silent: true,
});

process.on('SIGINT', () => {});
process.on('SIGTERM', () => {
  // Open pages hold their connections: they are not waited for.
  void mailbox.stop().finally(() => process.exit(0));
  setTimeout(() => process.exit(0), 1_000).unref();
});

const { smtp, api } = await mailbox.start();
if (api) guard(api.server.server);
const ready: MailboxReady = { smtpPort: smtp.getPort() };
process.send?.(ready);

/**
 * MailDev lets any web page read its mails and gives its own page only to those who ask for text/html.
 * Without an Origin it sends no CORS headers, so that other sites read nothing here.
 */
function guard(server: Server): void {
  server.prependListener('request', (request: IncomingMessage) => {
    if (isForeign(request)) delete request.headers.origin;
    if (request.url === '/') request.headers.accept = 'text/html';
  });
  server.prependListener('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (isForeign(request)) socket.destroy();
  });
}

function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
