import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import type { TestApp } from '../../../kit/app.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending } from '../support.js';

let sink: SmtpSink;
let app: TestApp;
beforeAll(async () => {
  sink = new SmtpSink();
  app = await startSending({ sweepMs: 300 }, { env: { SMTP_URL: await sink.listen() } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

it('a job that lost its data in Redis does not block later jobs of the same name', async () => {
  const user = await app.user();
  const queue = app.get(JobQueue).queue('deliveries') as ReturnType<JobQueue['queue']> & { toKey(id: string): string };
  await queue.pause();
  const sendId = await send(user, await seedList(app, user, { count: 5 }));
  for (const { id } of await queue.getJobs(['waiting', 'paused'])) await queue.client.del(queue.toKey(String(id)));
  await queue.resume();
  expect((await settled(user, sendId)).counts).toMatchObject({ sent: 5 });
  expect(sink.stored.filter(({ address }) => address.endsWith('@people.test'))).toHaveLength(5);
});
