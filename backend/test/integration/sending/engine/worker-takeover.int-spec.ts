import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { DeliverySweeper } from '../../../../src/modules/delivery/delivery-sweeper.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { until } from '../../../kit/until.js';
import { seedList, send, startSending } from '../support.js';

it("a starting worker continues a killed worker's send as soon as a range is free", async () => {
  const sink = new SmtpSink();
  const stored = () => sink.stored.filter(({ address }) => address.endsWith('@people.test')).length;
  const env = { SMTP_URL: await sink.listen() };
  // The times are so long that within this test neither a slice ends nor a regular sweep runs.
  const tuning = { sliceMs: 25_000, sweepMs: 120_000 };
  const first = await startSending(tuning, { env });
  const user = await first.user();
  const queue = first.get(JobQueue).queue('deliveries');
  await queue.pause();
  const sendId = await send(user, await seedList(first, user, { count: 20 }));
  // Leaves the state after a SIGKILL: every range is leased, and no job waits.
  await rows(first.em(), `update delivery_ranges set leased_until = 'infinity', leased_by = ? where history_id = ?`, [
    randomUUID(),
    sendId,
  ]);
  await queue.empty();
  await queue.resume();
  await first.stop();
  const second = await startSending(tuning, { beside: first, env });
  try {
    await second.get(DeliverySweeper).sweep();
    expect(stored()).toBe(0);
    await rows(second.em(), `update delivery_ranges set leased_until = now() where history_id = ?`, [sendId]);
    await until('mail goes on', () => stored() > 0);
    await until(
      'the send has ended',
      async () =>
        (await rows<{ status: string }>(second.em(), `select status from email_history where id = ?`, [sendId]))[0]!
          .status === 'sent',
    );
    expect(stored()).toBe(20);
  } finally {
    await second.close();
    await first.close();
    await sink.close();
  }
});
