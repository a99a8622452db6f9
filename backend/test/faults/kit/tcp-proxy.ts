import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy that can cut, refuse or stall connections, so that a service fails for the product but not for the test itself. */
export class TcpProxy {
  private readonly sockets = new Set<Socket>();
  private state: 'open' | 'refused' | 'mute' = 'open';
  private readonly server: Server;

  constructor(private readonly target: { host: string; port: number }) {
    this.server = createServer((near) => this.join(near));
  }

  async listen(): Promise<number> {
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', ready));
    return (this.server.address() as { port: number }).port;
  }

  /** Resets all connections and refuses new ones. */
  refuse(): void {
    this.state = 'refused';
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Keeps connections open without passing data. */
  mute(): void {
    this.state = 'mute';
    for (const socket of this.sockets) socket.pause();
  }

  open(): void {
    this.state = 'open';
    for (const socket of this.sockets) socket.resume();
  }

  close(): void {
    this.refuse();
    this.server.close();
  }

  private join(near: Socket): void {
    near.on('error', () => undefined);
    if (this.state === 'refused') return void near.resetAndDestroy();
    const far = connect(this.target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.setNoDelay(true);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('data', (chunk) => void to.write(chunk));
      if (this.state === 'mute') from.pause();
    }
  }
}
