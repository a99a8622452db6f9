import { createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A server that speaks clamd's INSTREAM and reports files with given bytes as infected. */
export class FakeClamd {
  /** A file that contains one of these byte sequences is infected. */
  readonly signatures: Buffer[] = [];
  /** Number of scanned files. */
  scans = 0;
  private readonly server: Server = createServer((socket) => this.serve(socket));
  private readonly open = new Set<Socket>();

  async listen(port = 0): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(port, '127.0.0.1', resolve));
    return `tcp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private serve(socket: Socket): void {
    this.open.add(socket);
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('close', () => this.open.delete(socket));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const file = streamedIn(received);
      if (!file) return;
      received = Buffer.alloc(0);
      this.scans += 1;
      const isInfected = this.signatures.some((signature) => file.includes(signature));
      socket.end(isInfected ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0');
    });
  }
}

/**
 * The file in an INSTREAM command, which consists of chunks with their lengths, the last of length 0.
 * @returns null while the command is incomplete
 */
function streamedIn(received: Buffer): Buffer | null {
  const start = received.indexOf('INSTREAM');
  if (start < 0) return null;
  let at = start + 'INSTREAM'.length + 1;
  const pieces: Buffer[] = [];
  while (at + 4 <= received.length) {
    const length = received.readUInt32BE(at);
    if (length === 0) return Buffer.concat(pieces);
    if (at + 4 + length > received.length) return null;
    pieces.push(received.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return null;
}
