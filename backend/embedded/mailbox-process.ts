// The mailbox's own process: MailDev, told by arguments where to keep mail and which port its page has.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MailDev } from 'maildev';
import type { MailboxReady } from './mailbox.ts';

const KEPT_MAILS = 5_000;

const [home = '', port = '', appHost = ''] = process.argv.slice(2);
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', appHost.toLowerCase()]);
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
 * MailDev lets any web page read its mails and gives its own page only to those who ask for text/html. Without an Origin it sends no
 * CORS headers, so that other sites read nothing here; and a name of another site that leads to this machine (DNS rebinding) gets nothing.
 */
function guard(server: Server): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwnName(request)) return void response.writeHead(421, { 'content-type': 'text/plain' }).end('This address is not served here: use localhost.\n');
    if (isForeign(request)) delete request.headers.origin;
    if (request.url === '/') request.headers.accept = 'text/html';
    for (const listener of listeners) listener.call(server, request, response);
  });
  server.prependListener('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (isForeign(request) || !isOwnName(request)) socket.destroy();
  });
}

const isOwnName = ({ headers }: IncomingMessage): boolean => OWN_NAMES.has((headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase());

function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
