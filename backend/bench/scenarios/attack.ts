import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AttackOptions } from './attack-process.js';

/**
 * Concurrent searches. Together with the other calls they stay below the limit of 1,200 requests a minute per account.
 */
const SEARCHES = 20;
const ATTACK_INTERVAL_MS = 2_000;

const { url, headers, sendId, target, searched, streams, imports, megabytes } = JSON.parse(
  process.argv[2]!,
) as AttackOptions;
const answers: Record<string, number> = {};
const ended = new AbortController();
const { signal } = ended;
const count = (what: string): void => void (answers[what] = (answers[what] ?? 0) + 1);

// Ends with the parent, so that the attack stops if the bench is killed.
process.on('disconnect', () => process.exit());
const file = csv(megabytes);
process.send!('ready');
const work = Promise.all([
  ...Array.from({ length: streams }, stream),
  ...Array.from({ length: imports }, upload),
  searches(),
]);
await once(process, 'message');
ended.abort();
await work;
process.send!(answers);

/** One live view of a send. After a refusal, it retries once the time in the answer has passed. */
async function stream(): Promise<void> {
  while (!signal.aborted) {
    let wait = 1_000;
    try {
      const answer = await fetch(`${url}/api/email-history/${sendId}/progress`, {
        headers: { ...headers, Accept: 'text/event-stream' },
        signal,
      });
      count(`stream ${answer.status}`);
      wait = Number(answer.headers.get('retry-after') ?? 1) * 1_000;
      await answer.text();
    } catch {
      if (!signal.aborted) count('stream cut');
    }
    await pause(wait, undefined, { signal }).catch(() => undefined);
  }
}

async function upload(): Promise<void> {
  try {
    const answer = await fetch(`${url}/api/email-lists/${target}/subscribers/import`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'text/csv' },
      body: file,
      signal,
    });
    count(`import ${answer.status}`);
    await answer.text();
  } catch {
    count(signal.aborted ? 'import not answered' : 'import cut');
  }
}

async function searches(): Promise<void> {
  const waves: Promise<unknown>[] = [];
  for (let wave = 0; !signal.aborted; wave++) {
    waves.push(...Array.from({ length: SEARCHES }, (_, i) => search(String.fromCharCode(97 + ((wave + i) % 26)))));
    await pause(ATTACK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(waves);
}

async function search(letter: string): Promise<void> {
  try {
    const answer = await fetch(`${url}/api/email-lists/${searched}/subscribers?limit=50&search=${letter}`, {
      headers,
      signal,
    });
    count(`search ${answer.status}`);
    await answer.text();
  } catch {
    if (!signal.aborted) count('search cut');
  }
}

/** A CSV file of this size in MB, with about the maximum number of lines of an import. */
function csv(size: number): Buffer {
  return Buffer.from(
    `email,name\n${Array.from({ length: size * 10_000 }, (_, i) => `i${i}@bulk${i % 50}.test,${'Name '.repeat(14)}${i}`).join('\n')}\n`,
  );
}
