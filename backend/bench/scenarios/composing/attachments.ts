import { attachedFile, tailOf, upload } from '../../attached-file.js';
import { figure, info, median, type Figure } from '../../goals/goals.js';
import { CONTENT, type SentText, SUBJECT } from '../../message.js';
import { runBare, type SinkProcess } from '../../processes.js';
import { withWorker } from '../../rates.js';
import type { Scenario } from '../../scenario.js';
import type { World } from '../../world.js';
import { byRound } from '../speed.js';

const KB = 1024;
const RECIPIENTS = 1_000;
const FILE_BYTES = 300 * KB;
/** Largest size in bytes that may be attached. It is sent to fewer people, because only memory is measured with it. */
const LARGE_FILE_BYTES = 2 * KB * KB;
const RECIPIENTS_OF_LARGE = 300;
const MB = 1_000_000;

/** Goal 24: a send with an attached file against the bare transport with the same message, in alternation. */
export const attachments: Scenario = async ({ world, sink, rounds }): Promise<Figure[]> => {
  const [list, few] = [await world.list(RECIPIENTS, 'Attached'), await world.list(RECIPIENTS_OF_LARGE, 'Few')];
  const [small, large] = [attachedFile(FILE_BYTES), attachedFile(LARGE_FILE_BYTES)];
  const encoded = (await tailOf('x', small)).length;
  const [smallId, largeId] = [await upload(world, small), await upload(world, large)];
  const own: number[] = [];
  const product: number[] = [];
  const ownCost: number[] = [];
  const cost: number[] = [];
  await withWorker(world, async (worker) => {
    await rateWith(world, sink, list, smallId);
    for (let round = 0; round < rounds; round++) {
      await sink.reset();
      const alone = await runBare({
        kind: 'own',
        smtpUrl: sink.url,
        messages: RECIPIENTS,
        connections: 10,
        attached: FILE_BYTES,
      });
      ownCost.push(alone);
      own.push(await wholeRate(sink));
      const spent = worker.processorTime();
      product.push(await rateWith(world, sink, list, smallId));
      cost.push(((worker.processorTime() - spent) * 1e6) / RECIPIENTS);
    }
  });
  const peakWith = (fileId?: string): Promise<number> =>
    withWorker(world, async (worker) => {
      for (let i = 0; i < 3; i++) await rateWith(world, sink, few, fileId);
      return worker.peak();
    });
  const peaks = [await peakWith(), await peakWith(largeId)] as const;
  const encodedLarge = (await tailOf('x', large)).length;
  return [
    figure('24', byRound(product, own), product.map((rate, i) => (rate / own[i]!).toFixed(2)).join(', ')),
    figure(
      '24b',
      ((peaks[1] - peaks[0]) * KB * KB) / encodedLarge,
      `${peaks.map((one) => one.toFixed(0)).join(' and ')} MB, ${(encodedLarge / MB).toFixed(1)} MB encoded`,
    ),
    info('300 KB attached, own transport alone', (median(own) * encoded) / MB, 'MB/s'),
    info('300 KB attached, product', (median(product) * encoded) / MB, 'MB/s'),
    info('the same', median(product), '/s'),
    info('processor time of the worker, a message', median(cost), 'us'),
    info('the same of the bare transport', median(ownCost), 'us'),
  ];
};

/** @returns messages a second */
async function rateWith(world: World, sink: SinkProcess, list: string, fileId?: string): Promise<number> {
  await sink.reset();
  const text: SentText = {
    subject: SUBJECT,
    content: CONTENT,
    ...(fileId && { files: [{ fileId, as: 'attachment' }] }),
  };
  const { id } = await world.sendText(text, list);
  await world.settled(id);
  const found = await world.statuses(id);
  const { distinct } = await sink.counts();
  if (Object.keys(found).join() !== 'sent' || distinct !== found.sent)
    throw new Error(`sink ${distinct}, log ${JSON.stringify(found)}`);
  return wholeRate(sink);
}

/** Messages a second by the sink's clock, from the first message to the last. */
async function wholeRate(sink: SinkProcess): Promise<number> {
  const { messages, firstAt, lastAt } = await sink.counts();
  return ((messages - 1) * 1000) / (lastAt - firstAt);
}
