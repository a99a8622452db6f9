import { connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP link to a service that can be cut, refused or muted, so that the service fails for some and not for the harness. */
export class Link {
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

  /** Every connection ends and none is taken. */
  refuse(): void {
    this.state = 'refused';
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** Connections stay and say nothing more. */
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
    for (const [from, to] of [[near, far], [far, near]] as const) {
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
