import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Response } from 'express';
import { csvLines, streamCsv } from './streams.js';

describe('a CSV line', () => {
  it('quotes what has to be quoted', () => {
    expect(csvLines([['a', 'b,c', 'say "hi"', 'two\nlines', null, 3]])).toBe('a,"b,c","say ""hi""","two\nlines",,3\r\n');
  });

  it.each(['=cmd()@x', '+1@x.test', '-2', '@sum', '\tx', '\rx'])('defuses %j', (cell) => {
    expect(csvLines([[cell]])).toBe(`"'${cell}"\r\n`);
  });
});

describe('whole collections', () => {
  afterEach(() => void jest.useRealTimers());

  const LINES = 2000;
  /** A download, and what its source was asked. */
  function download(look: { before?: (n: number) => Promise<unknown> | void } = {}) {
    const seen = { rows: 0, ended: 0 };
    async function* rows() {
      try {
        for (let n = 0; n < LINES; n += 1) {
          await look.before?.(n);
          seen.rows += 1;
          yield [n];
        }
      } finally {
        seen.ended += 1;
      }
    }
    return { seen, stream: streamCsv({} as Response, 'all.csv', ['n'], rows()).getStream() };
  }
  const read = async (stream: AsyncIterable<Buffer>): Promise<number> => {
    let lines = 0;
    for await (const part of stream) lines += part.toString().split('\r\n').length - 1;
    return lines;
  };
  const never = new Promise<never>(() => undefined);

  it('are read by turns, and a reader who takes nothing holds none', async () => {
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

  it('give their turn back when they fail, and say why; their source is ended once', async () => {
    const broken = Array.from({ length: 5 }, () => download({ before: (n) => (n < 700 ? undefined : Promise.reject(new Error('no database'))) }));
    await Promise.all(broken.map(({ stream }) => expect(read(stream)).rejects.toThrow('no database')));
    expect(broken.map(({ seen }) => seen)).toEqual(Array(5).fill({ rows: 700, ended: 1 }));
    expect(await read(download().stream)).toBe(LINES + 1);
  });

  it('give their turn back when their reader goes, who is read nothing more', async () => {
    let open!: () => void;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const gone = Array.from({ length: 6 }, () => download({ before: () => gate }));
    for (const { stream } of gone) stream.once('readable', () => undefined);
    await new Promise(setImmediate);
    const closed = gone.map(({ stream }) => new Promise((resolve) => stream.once('close', resolve)));
    for (const { stream } of gone) stream.destroy();
    open();
    await Promise.all(closed);
    // Three had their turn; those that waited for one never began.
    expect(gone.map(({ seen }) => seen.ended)).toEqual([1, 1, 1, 0, 0, 0]);
    expect(gone.slice(3).map(({ seen }) => seen.rows)).toEqual([0, 0, 0]);
    expect(await read(download().stream)).toBe(LINES + 1);
  });

  it('do not wait behind those whose part takes long', async () => {
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
});
