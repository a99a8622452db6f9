import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { freePort } from '../../kit/free-port.js';
import { Instance } from '../../cluster/kit/processes.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending } from './support.js';

const sink = new SmtpSink({ bodies: false, log: true });
let app: TestApp;
let worker: Instance;

beforeAll(async () => {
  app = await startSending({}, { env: { SMTP_URL: await sink.listen() } });
  await app.get(JobQueue).queue('deliveries').pause(true, true);
  const port = await freePort();
  worker = await new Instance('worker', port, {
    ...app.env,
    SMTP_URL: app.settings.smtpUrl!,
    ROLE: 'worker',
    WORKER_PORT: String(port),
    DATA_DIR: app.settings.dataDir,
    LOG_LEVEL: 'warn',
  })
    .start()
    .ready();
});
afterAll(async () => {
  await worker.stop();
  await app.close();
  await sink.close();
});

describe('a worker with the shipped memory limit', () => {
  it('sends 100,000 non-Latin characters to 80 lists', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const lists = [];
    for (let i = 0; i < 80; i++)
      lists.push(
        await seedList(app, user, {
          addresses: Array.from({ length: 4 }, (_, n) => `p${n}-${i}@x${i % 20}.test`),
          name: `名簿 ${i}`,
        }),
      );
    const id = await send(user, lists[0]!, {
      emailListIds: lists.map((list) => list.id),
      content: '語'.repeat(100_000),
    });
    expect((await settled(user, id, 240_000)).counts).toMatchObject({ sent: 320, failed: 0 });
    expect(await worker.says('live')).toBe(true);
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8'))![1]) / 1024;
    process.stderr.write(
      `peak of the worker: ${Math.round(peak)} MB; ${sink.messages} messages, ${sink.extraCopies} copies\n`,
    );
    expect(sink.extraCopies).toBe(0);
  }, 300_000);
});
