import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** Code of an established connection in the kernel's tables. */
const ESTABLISHED = '01';

/** Client sockets that read and write as slowly as the test wants. */
export class SlowClients {
  readonly sockets: { socket: Socket; closed: boolean; tail: string }[] = [];
  private timer?: NodeJS.Timeout;

  constructor(private readonly port: number) {}

  async connect(count: number, opening = '', { reads = true } = {}): Promise<void> {
    await Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<void>((connected) => {
            const one = { socket: connect(this.port, '127.0.0.1', () => connected()), closed: false, tail: '' };
            one.socket.on('error', () => undefined).on('close', () => (one.closed = true));
            one.socket.write(opening);
            if (!reads) one.socket.pause();
            this.sockets.push(one);
          }),
      ),
    );
    if (reads) this.read();
  }

  /** Starts reading. */
  read(): void {
    for (const one of this.sockets)
      one.socket.on('data', (chunk) => (one.tail = chunk.subarray(-16).toString('latin1'))).resume();
  }

  /** Writes this text on each connection byte by byte. */
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

  /**
   * The connections in the kernel's tables (Linux): whether the server's end is open, and how many bytes in both socket
   * buffers the server has written and the client has not read.
   */
  serverEnds(): { open: boolean; untaken: number }[] {
    const ends = this.sockets.map(() => ({ open: false, untaken: 0 }));
    const ours = new Map(this.sockets.map(({ socket }, place) => [socket.localPort, ends[place]!]));
    for (const line of ['tcp', 'tcp6'].flatMap((table) =>
      readFileSync(`/proc/net/${table}`, 'utf8').trim().split('\n').slice(1),
    )) {
      const [, local, remote, state, queues] = line.trim().split(/\s+/) as [string, string, string, string, string];
      const isServers = portOf(local) === this.port;
      if (!isServers && portOf(remote) !== this.port) continue;
      const end = ours.get(portOf(isServers ? remote : local));
      if (!end) continue;
      if (isServers) end.open = state === ESTABLISHED;
      end.untaken += parseInt(queues.split(':')[isServers ? 0 : 1]!, 16);
    }
    return ends;
  }

  stop(): void {
    clearInterval(this.timer);
    for (const { socket } of this.sockets) socket.destroy();
  }
}

const portOf = (address: string): number => parseInt(address.slice(address.lastIndexOf(':') + 1), 16);
