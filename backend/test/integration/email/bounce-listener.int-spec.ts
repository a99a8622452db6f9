import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BOUNCE_LIMITS, BounceListener } from '../../../src/modules/bounces/bounce-listener.js';
import { DeliverRange } from '../../../src/modules/delivery/batches/deliver-range.job.js';
import { startApp, type TestApp } from '../../kit/app.js';

const productLimits = { ...BOUNCE_LIMITS };

/** A TCP client that sends lines and collects the answers. */
class Client {
  private readonly lines: string[] = [];
  private waiting?: (line: string) => void;

  constructor(private readonly socket: Socket) {
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString()).split('\r\n');
      rest = parts.pop()!;
      for (const line of parts.filter((one) => /^\d{3} /.test(one))) {
        if (this.waiting) this.waiting(line);
        else this.lines.push(line);
        this.waiting = undefined;
      }
    });
  }

  answer(): Promise<string> {
    const line = this.lines.shift();
    return line === undefined ? new Promise((got) => (this.waiting = got)) : Promise.resolve(line);
  }

  say(line: string): Promise<string> {
    this.socket.write(`${line}\r\n`);
    return this.answer();
  }

  end(): Promise<void> {
    return new Promise((closed) => this.socket.once('close', () => closed()).end('QUIT\r\n'));
  }
}

let app: TestApp;
beforeAll(async () => {
  Object.assign(BOUNCE_LIMITS, { connectionsOfClient: 3, messagesOfClient: 5 });
  app = await startApp({ env: { ROLE: 'bounces', BOUNCE_DOMAIN: 'bounces.staffcast.test', BOUNCE_PORT: '0' } });
});
afterAll(async () => {
  await app.close();
  Object.assign(BOUNCE_LIMITS, productLimits);
});
const open = async (): Promise<[Client, string]> => {
  const client = new Client(connect(app.get(BounceListener).port!, '127.0.0.1'));
  return [client, await client.answer()];
};

describe('a process that only takes bounces (ROLE=bounces)', () => {
  it('listens, and delivers nothing', () => {
    expect(app.get(BounceListener).port).toBeGreaterThan(0);
    expect(() => app.get(DeliverRange)).toThrow();
    expect([app.settings.runsWeb, app.settings.runsWorker]).toEqual([false, false]);
  });

  it('accepts mail to the bounce domain only, including postmaster and abuse', async () => {
    const [client] = await open();
    await client.say('EHLO mx.test');
    await client.say('MAIL FROM:<>');
    for (const local of ['postmaster', 'abuse', 'fbl']) {
      expect(await client.say(`RCPT TO:<${local}@staffcast.test>`)).toMatch(/^550 /);
      expect(await client.say(`RCPT TO:<${local}@evil.test>`)).toMatch(/^550 /);
      expect(await client.say(`RCPT TO:<${local}@Bounces.staffcast.test>`)).toMatch(/^250 /);
    }
    expect(await client.say('RCPT TO:<anybody@bounces.staffcast.test>')).toMatch(/^550 /);
    await client.end();
  });

  it('limits the open connections of a client', async () => {
    const clients = await Promise.all([open(), open(), open()]);
    expect(clients.map(([, greeting]) => greeting.slice(0, 3))).toEqual(['220', '220', '220']);
    expect((await open())[1]).toMatch(/^421 .*Too many connections/);
    await clients[0]![0].end();
    for (let tries = 0; tries < 100; tries += 1) {
      const [client, greeting] = await open();
      await client.end();
      if (greeting.startsWith('220')) break;
      expect(tries).toBeLessThan(99);
    }
    await Promise.all(clients.slice(1).map(([client]) => client.end()));
  });

  it('limits the messages of a client per minute', async () => {
    const [client] = await open();
    await client.say('EHLO mx.test');
    const answers: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      answers.push((await client.say('MAIL FROM:<>')).slice(0, 3));
      await client.say('RSET');
    }
    expect(answers.filter((code) => code === '250').length).toBeLessThanOrEqual(5);
    expect(answers.at(-1)).toBe('450');
    await client.end();
  });
});
