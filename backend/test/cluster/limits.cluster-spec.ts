import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Balancer, type BalancerOptions } from './kit/balancer.js';
import { freePort } from '../kit/free-port.js';
import { until } from '../kit/until.js';

let home: string;
let web: Server;
let webPort: number;
let lb: Balancer | undefined;
/** Answers of /slow that the test holds back. */
let waiting: (() => void)[];

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'staffcast-lb-'));
  waiting = [];
  web = createServer((req, res) => {
    if (req.url!.startsWith('/slow')) waiting.push(() => void res.end('done'));
    else if (req.method === 'POST') {
      let bytes = 0;
      req.on('data', (chunk: Buffer) => (bytes += chunk.length));
      req.on('end', () => res.end(`${bytes} bytes`));
    } else res.end('ok');
  });
  await new Promise<void>((ready) => web.listen(0, '127.0.0.1', () => ready()));
  webPort = (web.address() as { port: number }).port;
});
afterEach(async () => {
  await lb?.stop();
  web.closeAllConnections();
  await new Promise((closed) => web.close(closed));
  rmSync(home, { recursive: true, force: true });
});

async function start(limits: BalancerOptions['limits']): Promise<Balancer> {
  lb = new Balancer(home, await freePort(), [webPort, webPort], { failTimeout: '1s', keepAlive: '1s', limits });
  await lb.ready();
  return lb;
}

describe('one client behind the load balancer', () => {
  it('has a limited number of connections; a refused one gets the reason', async () => {
    const { url } = await start({ LB_CLIENT_CONNECTIONS: '5' });
    const refused: Response[] = [];
    const calls = Array.from({ length: 12 }, async () => {
      const answer = await fetch(`${url}/slow`);
      if (answer.status !== 200) refused.push(answer);
      return answer;
    });
    await until('all are refused or wait', () => refused.length + waiting.length === 12);
    expect(refused).toHaveLength(7);
    for (const answer of refused) {
      expect([
        answer.status,
        answer.headers.get('retry-after'),
        ((await answer.json()) as { code: string }).code,
      ]).toEqual([429, '2', 'rate_limited']);
    }
    expect(waiting).toHaveLength(5);
    for (const done of waiting) done();
    expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(5);
    expect((await fetch(`${url}/`)).status).toBe(200);
  });

  it('is limited in its request rate', async () => {
    const { url } = await start({ LB_CLIENT_RATE: '1', LB_CLIENT_BURST: '10' });
    const statuses = await Promise.all(Array.from({ length: 60 }, () => fetch(`${url}/`).then(({ status }) => status)));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(30);
  });

  it('is disconnected where its request header never ends', async () => {
    const { port } = await start({ LB_HEADER_TIMEOUT: '1s' });
    const patient = new Balancer(mkdtempSync(join(home, 'patient-')), await freePort(), [webPort, webPort], {
      failTimeout: '1s',
      keepAlive: '1s',
      limits: { LB_HEADER_TIMEOUT: '60s' },
    });
    await patient.ready();
    const ended: string[] = [];
    const drip = (name: string, to: number) => {
      const socket = connect(to, '127.0.0.1');
      const dripping = setInterval(() => socket.write('X-Slow: 1\r\n'), 300);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(dripping);
        ended.push(name);
      });
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n');
      return socket;
    };
    const held = drip('waits 60 seconds', patient.port);
    drip('waits a second', port);
    await until('one is disconnected', () => ended.length > 0);
    expect(ended).toEqual(['waits a second']);
    held.destroy();
    await patient.stop();
  });
});

describe('bodies of requests', () => {
  const MB = 1024 * 1024;
  const post = async (path: string, bytes: number): Promise<{ status: number; answer: string }> => {
    const found = await fetch(lb!.url + path, { method: 'POST', body: Buffer.alloc(bytes) });
    return { status: found.status, answer: await found.text() };
  };

  it('of a whole document pass where documents are uploaded, and nowhere else; larger ones get the reason', async () => {
    await start({});
    expect(await post('/api/files', 10 * MB + 16 * 1024)).toEqual({
      status: 200,
      answer: `${10 * MB + 16 * 1024} bytes`,
    });
    for (const [path, bytes] of [
      ['/api/files', 12 * MB],
      ['/api/drafts', 5 * MB],
      ['/api/files/links/x/download', 5 * MB],
    ] as const) {
      const { status, answer } = await post(path, bytes);
      expect([path, status, (JSON.parse(answer) as { code: string }).code]).toEqual([path, 413, 'payload_too_large']);
    }
  });
});

it("the load balancer's logs contain no token, also for failed requests", async () => {
  const token = 'q7Xw-Zr2LkP0_aVb9NcM4tYsE6uHjD1oGfIiRnK8mQ3';
  const { url } = await start({ LB_CLIENT_RATE: '1', LB_CLIENT_BURST: '3' });
  const call = () =>
    fetch(`${url}/unsubscribe/${token}?token=${token}`, {
      headers: { Referer: `https://mail.example/reset-password?token=${token}` },
    });
  await Promise.all(Array.from({ length: 12 }, call));
  web.closeAllConnections();
  await new Promise((closed) => web.close(closed));
  await until('the limit of the rate lets a call through', async () => (await call()).status === 503);
  await lb!.stop();
  const written = lb!.errors + readFileSync(join(home, 'access.log'), 'utf8');
  expect(written).toContain('"status":503');
  expect(written).not.toContain(token.slice(0, 12));
});
