import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

/**
 * A batcher that doubles numbers and records its batches. The item 13 violates a constraint; the item -1 loses the
 * connection.
 */
function doubling() {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>(async (items) => {
    batches.push(items);
    await new Promise((done) => setImmediate(done));
    if (items.includes(-1)) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    if (items.includes(13)) throw Object.assign(new Error('broken'), { code: '23503' });
    return items.map((item) => item * 2);
  });
  return {
    batches,
    add: (item: number) => batcher.add(item),
    all: (...items: number[]) => Promise.allSettled(items.map((item) => batcher.add(item))),
  };
}

describe('a batcher', () => {
  it('runs a single item at once, and items that arrive meanwhile together', async () => {
    const { batches, all, add } = doubling();
    const answers = await all(1, 2, 3, 4);
    expect(answers.map((one) => one.status === 'fulfilled' && one.value)).toEqual([2, 4, 6, 8]);
    expect(await add(5)).toBe(10);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('collects items for the given time', async () => {
    const batches: number[][] = [];
    const batcher = new Batcher<number, number>(
      (items) => Promise.resolve(void batches.push(items)).then(() => items),
      100,
    );
    const answers = [];
    for (let n = 0; n < 4; n++) {
      answers.push(batcher.add(n));
      await new Promise((done) => setImmediate(done));
    }
    expect(await Promise.all(answers)).toEqual([0, 1, 2, 3]);
    expect(batches).toEqual([[0, 1, 2, 3]]);
  });

  it('runs at most 500 at a time', async () => {
    const { batches, all } = doubling();
    await all(...Array.from({ length: 1201 }, (_, n) => n + 100));
    expect(batches.map((batch) => batch.length)).toEqual([1, 500, 500, 200]);
  });

  it('retries items one by one where one violates a constraint', async () => {
    const { batches, all } = doubling();
    const answers = await all(1, 2, 13, 4);
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([
      2,
      4,
      'broken',
      8,
    ]);
    expect(batches).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  });

  it('fails the whole batch where the database is unreachable, and continues', async () => {
    const { all, add } = doubling();
    expect((await all(1, 2, -1)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await add(3)).toBe(6);
  });

  /**
   * A batcher for a slow database: a batch of more than `within` items, or with the item `poison`, exceeds the
   * statement timeout.
   */
  function slow(within: { items: number }, poison?: number) {
    const sizes: number[] = [];
    const batcher = new Batcher<number, number>(async (items) => {
      sizes.push(items.length);
      await new Promise((done) => setImmediate(done));
      if (items.length > within.items || items.includes(poison!))
        throw Object.assign(new Error('too slow'), { code: '57014' });
      return items;
    });
    const all = (count: number) => Promise.allSettled(Array.from({ length: count }, (_, n) => batcher.add(n)));
    return { sizes, all };
  }

  it('repeats in smaller batches what exceeded the statement timeout, and keeps the size for those that follow', async () => {
    const within = { items: 20 };
    const { sizes, all } = slow(within);
    const answers = await all(501);
    expect(answers.every((answer, n) => answer.status === 'fulfilled' && answer.value === n)).toBe(true);
    expect(sizes.slice(0, 4)).toEqual([1, 500, 100, 20]);
    // The batch size doubles after each full batch that succeeds.
    expect(sizes.filter((size) => size > 40)).toEqual([500, 100]);
    within.items = 500;
    sizes.length = 0;
    await all(2_000);
    expect(sizes.at(-1)).toBeGreaterThan(100);
  });

  it('fails only the item that exceeds the timeout by itself', async () => {
    const { sizes, all } = slow({ items: 500 }, 77);
    const answers = await all(300);
    expect(answers.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([77]);
    expect(sizes.length).toBeLessThan(60);
  });

  it('gives up where even single items exceed the timeout, and starts anew', async () => {
    const within = { items: 0 };
    const { sizes, all } = slow(within);
    const answers = await all(500);
    expect(answers.every(({ status }) => status === 'rejected')).toBe(true);
    expect(sizes.length).toBeLessThan(10);
    within.items = 500;
    expect((await all(500)).every(({ status }) => status === 'fulfilled')).toBe(true);
  });
});
