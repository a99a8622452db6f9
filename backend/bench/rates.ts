import { setTimeout as pause } from 'node:timers/promises';
import { CONTENT, type SentText, SUBJECT } from './message.js';
import { ProductProcess, runBare, type BareOptions, type SinkProcess } from './processes.js';
import type { World } from './world.js';

const WARM_UP = 2000;

/**
 * Messages a second by the sink's clock, without the first 2,000 messages. A run of fewer than 4,000 leaves out about
 * the first half, in whole thousands; a run of fewer than 2,000 only the first message.
 * @throws if fewer than two messages came
 */
export async function rateOf(sink: SinkProcess): Promise<number> {
  const { marks, messages, firstAt, lastAt } = await sink.counts();
  if (messages < 2) throw new Error(`a rate needs two messages, and the sink has ${messages}`);
  const skip = Math.min(WARM_UP, Math.floor(messages / 2000) * 1000);
  const [left, since] = skip === 0 ? [messages - 1, firstAt] : [messages - skip, marks[skip / 1000 - 1]!];
  // If all messages came within a millisecond of the sink's clock, counts one millisecond.
  return (left * 1000) / Math.max(1, lastAt - since);
}

export async function bareRate(sink: SinkProcess, options: Omit<BareOptions, 'smtpUrl'>): Promise<number> {
  return (await bare(sink, options)).rate;
}

/**
 * Sends messages by a bare mailer.
 * @returns messages a second, and processor time per message in microseconds
 */
export async function bare(
  sink: SinkProcess,
  options: Omit<BareOptions, 'smtpUrl'>,
): Promise<{ rate: number; cost: number }> {
  await sink.reset();
  const cost = await runBare({ ...options, smtpUrl: sink.url });
  return { rate: await rateOf(sink), cost };
}

/**
 * Sends to a list with one running worker.
 * @returns messages a second
 */
export async function productRate(
  world: World,
  sink: SinkProcess,
  list: string,
  text: SentText = { subject: SUBJECT, content: CONTENT },
): Promise<number> {
  await sink.reset();
  const { id } = await world.sendText(text, list);
  await world.settled(id);
  const found = await world.statuses(id);
  const { messages, distinct } = await sink.counts();
  if (Object.keys(found).join() !== 'sent' || distinct !== found.sent)
    throw new Error(`sink ${messages}/${distinct}, log ${JSON.stringify(found)}`);
  return rateOf(sink);
}

/** Waits until the sink has received this many messages. */
export async function seen(sink: SinkProcess, messages: number, limitMs = 120_000): Promise<void> {
  const end = Date.now() + limitMs;
  while ((await sink.counts()).messages < messages) {
    if (Date.now() > end) throw new Error(`fewer than ${messages} messages after ${limitMs} ms`);
    await pause(20);
  }
}

/** Runs `work` while one worker runs, and stops the worker afterwards. */
export async function withWorker<T>(
  world: World,
  work: (worker: ProductProcess) => Promise<T>,
  env: Record<string, string> = {},
): Promise<T> {
  const worker = await ProductProcess.start('worker', { ...world.workerEnv, ...env });
  try {
    return await work(worker);
  } finally {
    await worker.stop();
  }
}
