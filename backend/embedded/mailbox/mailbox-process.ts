// Runs MailDev, the mailbox, in this process. Arguments: folder of the mails, port of MailDev's page, host name of the
// app.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { MailDev } from 'maildev';
import type { MailboxReady } from './mailbox.ts';

const KEPT_MAILS = 5_000;

const [home = '', port = '', appHost = ''] = process.argv.slice(2);
const OWN_NAMES = new Set(['localhost', '127.0.0.1', '[::1]', appHost.toLowerCase()]);
const mailbox = new MailDev({
  smtp: 0,
  ip: '127.0.0.1',
  web: Number(port),
  webIp: '127.0.0.1',
  mailDirectory: home,
  maxEmails: KEPT_MAILS,
  silent: true,
});

process.on('SIGINT', () => {});
process.on('SIGTERM', () => {
  // The mailbox stops only when its connections end. Open pages keep theirs, so the process exits after a second at
  // most.
  void mailbox.stop().finally(() => process.exit(0));
  setTimeout(() => process.exit(0), 1_000).unref();
});

const { smtp, api } = await mailbox.start();
if (api) guard(api.server.server);
const ready: MailboxReady = { smtpPort: smtp.getPort() };
process.send?.(ready);

/**
 * Protects the mails against other sites. MailDev answers any Origin with CORS headers, so a foreign Origin is removed;
 * requests with a foreign host name are refused, which prevents DNS rebinding. MailDev sends its own page only if
 * Accept names text/html, so Accept is set for this page.
 */
function guard(server: Server): void {
  const listeners = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isOwnName(request))
      return void response
        .writeHead(421, { 'content-type': 'text/plain' })
        .end('This address is not served here: use localhost.\n');
    if (isForeign(request)) delete request.headers.origin;
    if (request.url === '/') request.headers.accept = 'text/html';
    for (const listener of listeners) listener.call(server, request, response);
  });
  server.prependListener('upgrade', (request: IncomingMessage, socket: Duplex) => {
    if (isForeign(request) || !isOwnName(request)) socket.destroy();
  });
}

const isOwnName = ({ headers }: IncomingMessage): boolean =>
  OWN_NAMES.has((headers.host ?? '').replace(/:\d{1,5}$/, '').toLowerCase());

function isForeign({ headers }: IncomingMessage): boolean {
  return headers.origin !== undefined && headers.origin !== `http://${headers.host}`;
}
