import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A server with the parts of S3 that the product uses, and one bucket in memory. */
export class Bucket {
  readonly objects = new Map<string, Buffer>();
  /** Number of requests without a signature; should stay 0. */
  unsigned = 0;
  /** While true, the bucket refuses every request. */
  isAway = false;
  /** Whether connections are cut in the middle of bodies, and which: one upload, all uploads, or all downloads. */
  cuts: 'none' | 'one upload' | 'uploads' | 'downloads' = 'none';
  /** Number of bodies that were cut. */
  cutBodies = 0;
  private readonly server: Server = createServer((req, res) => void this.serve(req, res));

  /** Starts the server. @returns the STORAGE_URL for the product */
  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `s3://key:s%2Fcret@127.0.0.1:${(this.server.address() as AddressInfo).port}/uploads?region=us-east-1&tls=off`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private async serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '/', 'http://bucket');
    if (!req.headers.authorization?.startsWith('AWS4-HMAC-SHA256 Credential=key/')) this.unsigned += 1;
    if (this.isAway) {
      req.resume();
      return void res.writeHead(503, { 'Content-Type': 'application/xml' }).end(AWAY);
    }
    const key = decodeURIComponent(url.pathname).replace(/^\/uploads\/?/, '');
    if (req.method === 'PUT' && (this.cuts === 'uploads' || this.cuts === 'one upload')) {
      this.cutBodies += 1;
      if (this.cuts === 'one upload') this.cuts = 'none';
      return void req.once('data', () => req.socket.destroy());
    }
    if (req.method === 'PUT') {
      this.objects.set(key, await buffer(req));
      return void res.setHeader('ETag', '"x"').end();
    }
    if (req.method === 'DELETE') {
      this.objects.delete(key);
      return void res.writeHead(204).end();
    }
    if (key === '') return this.list(url.searchParams, res);
    const found = this.objects.get(key);
    if (!found) return void res.writeHead(404, { 'Content-Type': 'application/xml' }).end(NO_SUCH_KEY);
    res.writeHead(200, { 'Content-Length': found.length, ETag: '"x"', 'Last-Modified': new Date(0).toUTCString() });
    if (req.method === 'GET' && this.cuts === 'downloads') {
      this.cutBodies += 1;
      return void res.write(found.subarray(0, found.length / 2), () => req.socket.destroy());
    }
    res.end(req.method === 'HEAD' ? undefined : found);
  }

  private list(query: URLSearchParams, res: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const contents = [...this.objects]
      .filter(([key]) => key.startsWith(prefix))
      .map(
        ([key, { length }]) =>
          `<Contents><Key>${key}</Key><Size>${length}</Size><ETag>"x"</ETag><LastModified>2026-11-27T00:00:00.000Z</LastModified></Contents>`,
      );
    res.setHeader('Content-Type', 'application/xml');
    res.end(
      `<?xml version="1.0"?><ListBucketResult><Name>uploads</Name><Prefix>${prefix}</Prefix><KeyCount>${contents.length}</KeyCount><IsTruncated>false</IsTruncated>${contents.join('')}</ListBucketResult>`,
    );
  }
}

const NO_SUCH_KEY = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>none</Message></Error>';
const AWAY = '<?xml version="1.0"?><Error><Code>ServiceUnavailable</Code><Message>away</Message></Error>';
