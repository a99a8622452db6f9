import { setTimeout as pause } from 'node:timers/promises';

/** A save request of one writer, repeated with the current version and a changing number in its body. */
export interface Writer {
  path: string;
  method: 'PUT' | 'PATCH';
  headers: Record<string, string>;
  version: number;
}
export interface WritersOptions {
  url: string;
  writers: Writer[];
  /** The body of the request, before and after the number that differs in every save. */
  body: [string, string];
  /** Time in ms between the starts of two saves of one writer. */
  everyMs: number;
  seconds: number;
}

const { url, writers, body, everyMs, seconds } = JSON.parse(
  await new Promise<string>((resolve) => process.once('message', (message) => resolve(message as string))),
) as WritersOptions;
const times: number[] = [];
const started = performance.now();

// Ends with the parent, so that the writers stop if the bench is killed.
process.on('disconnect', () => process.exit());
await Promise.all(writers.map((writer, n) => write(writer, (n * everyMs) / writers.length)));
process.send!(times);

/** Saves at typing speed. As in the editor, a slow save delays the next one. */
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
