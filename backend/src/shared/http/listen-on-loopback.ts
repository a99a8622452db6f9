import type { Server } from 'node:http';
import { createServer } from 'node:net';
import type { INestApplication } from '@nestjs/common';
import { listen } from './listen.js';

/** Listens on 127.0.0.1 and, if available, on ::1, because browsers try both for localhost. */
export async function listenOnLoopback(app: INestApplication, port: number): Promise<void> {
  await listen(app, port, '127.0.0.1');
  const server = app.getHttpServer() as Server;
  const ipv6 = createServer((socket) => server.emit('connection', socket));
  const isOpen = await new Promise<boolean>((settled) =>
    ipv6.once('error', () => settled(false)).listen({ port, host: '::1', ipv6Only: true }, () => settled(true)),
  );
  if (!isOpen) return;
  const close = server.close.bind(server);
  server.close = (done) => {
    ipv6.close();
    return close(done);
  };
}
