import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Disk } from 'flydrive';
import { driverOf } from './storage-driver.js';

const SILENCE_MS = 200;

describe('a bucket that goes silent', () => {
  /** How the server begins its answer before it goes silent. */
  let begin: (res: ServerResponse) => void = () => undefined;
  const server: Server = createServer((_req, res) => begin(res));
  let disk: Disk;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const access = { region: 'us-east-1', accessKeyId: 'key', secretAccessKey: 'secret' };
    disk = new Disk(await driverOf({ kind: 's3', endpoint, bucket: 'uploads', ...access }, SILENCE_MS));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  it('before it answers fails the request', async () => {
    begin = () => undefined;
    await expect(disk.exists('documents/one')).rejects.toThrow();
  });

  it('in the middle of a body fails the stream', async () => {
    begin = (res) => void res.writeHead(200, { 'Content-Length': 1_000, ETag: '"x"' }).write('half');
    await expect(buffer(await disk.getStream('documents/one'))).rejects.toThrow();
  });
});
