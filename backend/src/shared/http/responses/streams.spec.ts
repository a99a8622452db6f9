import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import { csvLines, streamCsv } from './streams.js';

describe('a CSV line', () => {
  it('quotes where necessary', () => {
    expect(csvLines([['a', 'b,c', 'say "hi"', 'two\nlines', null, 3]])).toBe(
      'a,"b,c","say ""hi""","two\nlines",,3\r\n',
    );
  });

  it.each(['=cmd()@x', '+1@x.test', '-2', '@sum', '\tx', '\rx'])('neutralises the formula %j', (cell) => {
    expect(csvLines([[cell]])).toBe(`"'${cell}"\r\n`);
  });
});

describe('streamed collections', () => {
  afterEach(() => void jest.useRealTimers());

  const LINES = 2000;
  /** A download that records how its source was used. */
  function download(options: { before?: (n: number) => Promise<unknown> | void; account?: string } = {}) {
    const seen = { rows: 0, ended: 0 };
    async function* rows() {
      try {
        for (let n = 0; n < LINES; n += 1) {
          await options.before?.(n);
          seen.rows += 1;
          yield [n];
        }
      } finally {
        seen.ended += 1;
      }
    }
    return {
      seen,
      stream: streamCsv(
        { req: options.account ? { user: { id: options.account } } : {} } as unknown as Response,
        'all.csv',
        ['n'],
        rows(),
      ).getStream(),
    };
  }
  const read = async (stream: AsyncIterable<Buffer>): Promise<number> => {
    let lines = 0;
    for await (const part of stream) lines += part.toString().split('\r\n').length - 1;
    return lines;
  };
  const never = new Promise<never>(() => undefined);

  it('are read in turn; a client that does not read occupies no slot', async () => {
    let [atWork, most] = [0, 0];
    const before = async (): Promise<void> => {
      most = Math.max(most, (atWork += 1));
      await new Promise(setImmediate);
      atWork -= 1;
    };
    const [slow, ...others] = Array.from({ length: 12 }, () => download({ before }));
    slow!.stream.once('readable', () => undefined);
    expect(await Promise.all(others.map(({ stream }) => read(stream)))).toEqual(Array(11).fill(LINES + 1));
    expect(most).toBe(3);
    expect(slow!.seen.rows).toBeLessThan(LINES);
    expect(await read(slow!.stream)).toBe(LINES + 1);
  });

  it('release their slot on failure and report it; their source is closed once', async () => {
    const broken = Array.from({ length: 5 }, () =>
      download({ before: (n) => (n < 700 ? undefined : Promise.reject(new Error('no database'))) }),
    );
    await Promise.all(broken.map(({ stream }) => expect(read(stream)).rejects.toThrow('no database')));
    expect(broken.map(({ seen }) => seen)).toEqual(Array(5).fill({ rows: 700, ended: 1 }));
    expect(await read(download().stream)).toBe(LINES + 1);
  });

  it('release their slot when the client disconnects, and stop reading', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gone = Array.from({ length: 6 }, () => download({ before: () => gate }));
    for (const { stream } of gone) stream.once('readable', () => undefined);
    await new Promise(setImmediate);
    const closed = gone.map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)));
    for (const { stream } of gone) stream.destroy();
    open();
    await Promise.all(closed);
    // Three downloads ran. The waiting ones never started.
    expect(gone.map(({ seen }) => seen.ended)).toEqual([1, 1, 1, 0, 0, 0]);
    expect(gone.slice(3).map(({ seen }) => seen.rows)).toEqual([0, 0, 0]);
    expect(await read(download().stream)).toBe(LINES + 1);
  });

  it('do not wait behind slow ones', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    const stuck = Array.from({ length: 3 }, () => download({ before: () => never }));
    for (const { stream } of stuck) stream.once('readable', () => undefined);
    await new Promise(setImmediate);
    const next = download();
    const lines = read(next.stream);
    await new Promise(setImmediate);
    expect(next.seen.rows).toBe(0);
    await jest.advanceTimersByTimeAsync(5_000);
    expect(await lines).toBe(LINES + 1);
  });

  it('of one account do not delay those of another, whatever their number', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const order: string[] = [];
    const many = Array.from({ length: 40 }, (_, i) =>
      download({ account: 'many', before: (n) => (n === 0 ? (order.push(`many ${i}`), gate) : undefined) }),
    );
    const reading = many.map(({ stream }) => read(stream));
    await new Promise(setImmediate);
    const other = read(
      download({ account: 'other', before: (n) => (n === 0 ? void order.push('other') : undefined) }).stream,
    );
    await new Promise(setImmediate);
    open();
    await Promise.all([...reading, other]);
    expect(order.indexOf('other')).toBeLessThanOrEqual(6);
  });

  it('of one account read at most three batches at a time, also slow ones', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let asked = 0;
    const slow = Array.from({ length: 20 }, () =>
      download({ account: 'slow', before: (n) => (n === 0 ? (asked++, gate) : undefined) }),
    );
    const reading = slow.map(({ stream }) => read(stream));
    await new Promise(setImmediate);
    await jest.advanceTimersByTimeAsync(30_000);
    expect(asked).toBe(3);
    open();
    expect(await Promise.all(reading)).toEqual(Array(20).fill(LINES + 1));
  });

  it('are refused where too many of the same account wait', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const waiting = Array.from({ length: 53 }, () =>
      download({ account: 'eager', before: (n) => (n === 0 ? gate : undefined) }),
    );
    const reading = waiting.map(({ stream }) => read(stream));
    await new Promise(setImmediate);
    expect(() => download({ account: 'eager' })).toThrow(
      expect.objectContaining({ status: 429, headers: { 'Retry-After': '10' } }),
    );
    const other = read(download({ account: 'somebody else' }).stream);
    open();
    await Promise.all([...reading, other]);
    expect(await read(download({ account: 'eager' }).stream)).toBe(LINES + 1);
  });
});
