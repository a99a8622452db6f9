import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, median, quantile, type Figure } from '../../goals/goals.js';
import { CONTENT, SUBJECT } from '../../message.js';
import type { SinkProcess } from '../../processes.js';
import { rateOf, seen, withWorker } from '../../rates.js';
import type { Scenario } from '../../scenario.js';
import type { World } from '../../world.js';

/** Domain of the bench's accounts, which receive the tests. */
const OWN_DOMAIN = 'sender.test';
/** Stays below the limit of 30 tests an hour for one account. */
const TESTS = 28;
const BETWEEN_MS = 250;

/**
 * Goal 27: test mails to the sender's own address while the largest list is mailed, and the rate of that send
 * meanwhile.
 */
export const tests: Scenario = async ({ world, sink, rounds, large: count }) => {
  const list = await world.list(count, 'Largest');
  // Setting any provider table makes the sink count by domain.
  await sink.set({ perSecond: {}, providers: {} });
  return withWorker(world, async (): Promise<Figure[]> => {
    const delays: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const alone = await sent(world, sink, list, async () => undefined);
      const beside = await sent(world, sink, list, async () => void delays.push(...(await testMails(world, sink))));
      ratios.push(beside / alone);
    }
    return [
      figure('27', quantile(delays, 0.95), `${delays.length} tests, the slowest ${Math.max(...delays).toFixed(2)} s`),
      info('the same, median', median(delays), 's'),
      figure('27b', median(ratios), ratios.map((one) => one.toFixed(2)).join(', ')),
    ];
  });
};

/**
 * Mails the list and runs `work` meanwhile.
 * @returns messages a second
 */
async function sent(world: World, sink: SinkProcess, list: string, work: () => Promise<void>): Promise<number> {
  await sink.reset();
  const { id } = await world.send(list);
  await seen(sink, 2_000);
  await work();
  const { rows } = await world.db.query<{ status: string }>('select status from email_history where id = $1', [id]);
  if (rows[0]!.status !== 'pending') throw new Error('the send ended before the tests: give a larger --large');
  await world.settled(id);
  return rateOf(sink);
}

/**
 * Sends tests one after another from a new account.
 * @returns seconds from the request until each arrived
 */
async function testMails(world: World, sink: SinkProcess): Promise<number[]> {
  const account = await world.account();
  const own = ((await (await account.call('GET', '/api/auth/user')).json()) as { email: string }).email;
  const arrived = async (): Promise<number> => (await sink.counts()).byProvider[OWN_DOMAIN]?.accepted ?? 0;
  const delays: number[] = [];
  for (let n = 0; n < TESTS; n++) {
    const before = await arrived();
    const asked = performance.now();
    await account.call('POST', '/api/send-email/test', {
      subject: `${SUBJECT} test ${n}`,
      content: CONTENT,
      emailType: 'job-post',
      to: [own],
    });
    while ((await arrived()) <= before) {
      if (performance.now() - asked > 120_000) throw new Error('a test did not arrive');
      await pause(10);
    }
    delays.push((performance.now() - asked) / 1000);
    await pause(BETWEEN_MS);
  }
  return delays;
}
