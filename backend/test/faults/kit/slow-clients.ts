import { connect, type Socket } from 'node:net';

/** Sockets that speak to a server as slowly as they like. */
export class SlowClients {
  readonly sockets: { socket: Socket; closed: boolean; tail: string }[] = [];
  private timer?: NodeJS.Timeout;

  constructor(private readonly port: number) {}

  async connect(count: number, opening = '', { reads = true } = {}): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => new Promise<void>((connected) => {
      const one = { socket: connect(this.port, '127.0.0.1', () => connected()), closed: false, tail: '' };
      one.socket.on('error', () => undefined).on('close', () => (one.closed = true));
      one.socket.write(opening);
      if (!reads) one.socket.pause();
      this.sockets.push(one);
    })));
    if (reads) this.read();
  }

  /** From now on they take what comes. */
  read(): void {
    for (const one of this.sockets) one.socket.on('data', (chunk) => (one.tail = chunk.subarray(-16).toString('latin1'))).resume();
  }

  /** A byte of this text each, again and again. */
  drip(text: string, everyMs: number): void {
    let at = 0;
    this.timer = setInterval(() => {
      for (const { socket, closed } of this.sockets) if (!closed) socket.write(text[at % text.length]!);
      at++;
    }, everyMs);
  }

  get closed(): number {
    return this.sockets.filter(({ closed }) => closed).length;
  }

  stop(): void {
    clearInterval(this.timer);
    for (const { socket } of this.sockets) socket.destroy();
  }
}
