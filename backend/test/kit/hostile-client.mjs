// Runs in its own thread, so that generating the load does not count as the server's work: sequential calls, a rush, or a probe.
import { request } from 'node:http';
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';

const { url, cookie } = workerData;

/** @returns {Promise<{ status: number, ms: number }>} */
function call({ method, path, headers = {}, body, chunked = false, signedOut = false }) {
  return new Promise((resolve) => {
    const started = performance.now();
    const bytes = body === undefined ? undefined : Buffer.from(body);
    const req = request(
      url + path,
      {
        method,
        headers: {
          ...(bytes && {
            'Content-Type': 'application/json',
            ...(chunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': bytes.length }),
          }),
          ...(signedOut ? {} : { Cookie: cookie }),
          ...headers,
        },
      },
      (res) => {
        res.resume().on('close', () => resolve({ status: res.statusCode, ms: performance.now() - started }));
      },
    );
    req.on('error', (error) => resolve({ status: 0, ms: performance.now() - started, error: String(error) }));
    if (chunked && bytes) for (let at = 0; at < bytes.length; at += 16_384) req.write(bytes.subarray(at, at + 16_384));
    req.end(chunked ? undefined : bytes);
  });
}

/** The body of a case: the base with a field's text filled up to so many bytes of JSON. */
function bodyOf({ base, field, unit, maxBytes, maxLength, raw }) {
  if (raw !== undefined) return raw;
  const bare = Buffer.byteLength(JSON.stringify({ ...base, [field]: 'xx' }));
  const each = Buffer.byteLength(JSON.stringify(unit)) - 2;
  const fitting = Math.floor((maxBytes - bare) / each);
  const times = Math.max(1, Math.min(fitting, maxLength ? Math.floor((maxLength - 2) / unit.length) : fitting));
  return JSON.stringify({ ...base, [field]: `x${unit.repeat(times)}x` });
}

const tasks = {
  async inTurn(cases) {
    const answers = [];
    for (const one of cases) answers.push(await call({ ...one, body: bodyOf(one) }));
    return answers;
  },
  /** Runs cases concurrently and cyclically until `count` are answered. */
  async rush({ cases, count, width }) {
    const statuses = {};
    let begun = 0;
    await Promise.all(
      Array.from({ length: width }, async () => {
        while (begun < count) {
          const one = cases[(begun++ * 7919) % cases.length];
          const { status } = await call({ ...one, body: bodyOf(one) });
          statuses[status] = (statuses[status] ?? 0) + 1;
        }
      }),
    );
    return statuses;
  },
  /** Requests a path every `everyMs` until told to stop. */
  async probe({ path, everyMs }) {
    let worst = 0;
    let asked = 0;
    let wrong = 0;
    let last = false;
    parentPort.once('message', () => (last = true));
    while (!last) {
      const { status, ms } = await call({ method: 'GET', path, signedOut: true });
      worst = Math.max(worst, ms);
      asked += 1;
      if (status !== 200) wrong += 1;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    return { worst, asked, wrong };
  },
};

parentPort.on('message', ({ task, input }) => {
  if (task) tasks[task](input).then((result) => parentPort.postMessage(result));
});
