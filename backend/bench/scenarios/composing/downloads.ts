import { setTimeout as pause } from 'node:timers/promises';
import { attachedFile, upload } from '../../attached-file.js';
import { figure, info, median, quantile } from '../../goals/goals.js';
import { apiLoad } from '../../load.js';
import { CONTENT, SUBJECT } from '../../message.js';
import { withWorker } from '../../rates.js';
import type { Scenario } from '../../scenario.js';
import type { World } from '../../world.js';

const KB = 1024;
const SHARED_FILE_BYTES = 500 * KB;
/** The whole request, with the form around the bytes, must fit MAX_UPLOAD_MB. */
const UPLOAD_BYTES = 10 * KB * KB - 64 * KB;
const UPLOADS = 5;
const DOWNLOADS_PER_SECOND = 100;
const LOAD_SECONDS = 10;
const CONCURRENT_DOWNLOADS = 500;

/** Goal 26: the API while a file is downloaded 100 times a second, the counter of its link, and the memory of uploads. */
export const downloads: Scenario = async ({ world, web }) => {
  const paths = ['/api/email-lists', '/api/email-history?limit=20', '/api/auth/user'];
  await world.list(10_000, 'While reading');
  await apiLoad(world, paths, 5);
  const before = web.rss();
  const uploads: number[] = [];
  for (let n = 0; n < UPLOADS; n++) {
    const start = performance.now();
    await upload(world, attachedFile(UPLOAD_BYTES - n));
    uploads.push(performance.now() - start);
  }
  const peak = web.peak();
  const link = await sharedLink(world, await upload(world, attachedFile(SHARED_FILE_BYTES)));
  const idle = await apiLoad(world, paths, LOAD_SECONDS);
  const [busy, taken] = await Promise.all([apiLoad(world, paths, LOAD_SECONDS), downloading(world, link.token)]);
  const parallel = await Promise.all(Array.from({ length: CONCURRENT_DOWNLOADS }, () => download(world, link.token)));
  const counted = await link.counted();
  return [
    figure('26', quantile(busy, 0.99) / quantile(idle, 0.99), `idle p99 ${quantile(idle, 0.99).toFixed(1)} ms`),
    figure(
      '26b',
      taken.length + parallel.length - counted,
      `${counted} counted, ${CONCURRENT_DOWNLOADS} of them at once`,
    ),
    figure('26c', Math.max(0, peak - before), `${UPLOADS} uploads, ${before.toFixed(0)} MB before`),
    info('a download while others run, median', median(taken), 'ms', `${DOWNLOADS_PER_SECOND} a second`),
    info('an upload of 10 MB, median', median(uploads), 'ms'),
  ];
};

/** Sends a file link to one person. */
async function sharedLink(world: World, fileId: string): Promise<{ token: string; counted: () => Promise<number> }> {
  const list = await world.list(1, 'Shared');
  const id = await withWorker(world, async () => {
    const sent = await world.sendText({ subject: SUBJECT, content: CONTENT, files: [{ fileId, as: 'link' }] }, list);
    await world.settled(sent.id);
    return sent.id;
  });
  const { rows } = await world.db.query<{ token: string }>('select token from file_links where history_id = $1', [id]);
  const { token } = rows[0]!;
  const counted = async (): Promise<number> => {
    const found = await world.db.query<{ n: number }>(
      'select downloads + automated as n from file_links where token = $1',
      [token],
    );
    return found.rows[0]!.n;
  };
  return { token, counted };
}

/** @returns ms of each download, until its last byte */
async function downloading(world: World, token: string): Promise<number[]> {
  const calls: Promise<number>[] = [];
  const started = performance.now();
  for (let n = 0; n < DOWNLOADS_PER_SECOND * LOAD_SECONDS; n++) {
    const due = started + (n * 1000) / DOWNLOADS_PER_SECOND;
    if (due > performance.now()) await pause(due - performance.now());
    calls.push(download(world, token));
  }
  return Promise.all(calls);
}

async function download(world: World, token: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(`${world.env.APP_URL}/api/files/links/${token}/download`, {
    method: 'POST',
    headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Sec-Fetch-Site': 'same-origin' },
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  if (!answer.ok || bytes !== SHARED_FILE_BYTES) throw new Error(`download: ${answer.status}, ${bytes} bytes`);
  return performance.now() - start;
}
