import { setTimeout as pause } from 'node:timers/promises';

/** What one writer saves: a request that is repeated with another version and another word in its body. */
export interface Writer {
  path: string;
  method: 'PUT' | 'PATCH';
  headers: Record<string, string>;
  version: number;
}
export interface WritersOptions {
  url: string;
  writers: Writer[];
  /** The body's halves; a number that differs in every save stands between them. */
  body: [string, string];
  /** Milliseconds between the beginnings of two saves of one writer. */
  everyMs: number;
  seconds: number;
}

const { url, writers, body, everyMs, seconds } = JSON.parse(
  await new Promise<string>((resolve) => process.once('message', (message) => resolve(message as string))),
) as WritersOptions;
const times: number[] = [];
const started = performance.now();

// Ends with the parent, so that a killed bench leaves no writer behind.
process.on('disconnect', () => process.exit());
await Promise.all(writers.map((writer, n) => write(writer, (n * everyMs) / writers.length)));
process.send!(times);

/** Saves at a person's pace; a save that takes longer than the pace delays the writer's next one, as the editor does. */
async function write(writer: Writer, delayMs: number): Promise<void> {
  let version = writer.version;
  for (let n = 0; ; n++) {
    const due = started + delayMs + n * everyMs;
    if (due > started + seconds * 1000) return;
    if (due > performance.now()) await pause(due - performance.now());
    const start = performance.now();
    const answer = await fetch(url + writer.path, {
      method: writer.method,
      headers: { ...writer.headers, 'Content-Type': 'application/json', 'If-Match': `"${version}"` },
      body: body[0] + String(n) + body[1],
    });
    const saved = (await answer.json()) as { version: number };
    if (!answer.ok) throw new Error(`${writer.path}: ${answer.status}`);
    times.push(performance.now() - start);
    version = saved.version;
  }
}
