import { describe, expect, it } from '@jest/globals';
import { Batcher } from './batcher.js';

/** Doubles numbers, and writes down its batches; 13 breaks a constraint, -1 the connection. */
function doubling() {
  const batches: number[][] = [];
  const batcher = new Batcher<number, number>(async (items) => {
    batches.push(items);
    await new Promise((done) => setImmediate(done));
    if (items.includes(-1)) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
    if (items.includes(13)) throw Object.assign(new Error('broken'), { code: '23503' });
    return items.map((item) => item * 2);
  });
  return { batches, add: (item: number) => batcher.add(item), all: (...items: number[]) => Promise.allSettled(items.map((item) => batcher.add(item))) };
}

describe('a batcher', () => {
  it('does who comes alone at once, and those who come meanwhile together', async () => {
    const { batches, all, add } = doubling();
    const answers = await all(1, 2, 3, 4);
    expect(answers.map((one) => one.status === 'fulfilled' && one.value)).toEqual([2, 4, 6, 8]);
    expect(await add(5)).toBe(10);
    expect(batches).toEqual([[1], [2, 3, 4], [5]]);
  });

  it('takes at most 500 at a time', async () => {
    const { batches, all } = doubling();
    await all(...Array.from({ length: 1201 }, (_, n) => n + 100));
    expect(batches.map((batch) => batch.length)).toEqual([1, 500, 500, 200]);
  });

  it('gives each an answer of its own where one breaks a constraint', async () => {
    const { batches, all } = doubling();
    const answers = await all(1, 2, 13, 4);
    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message))).toEqual([2, 4, 'broken', 8]);
    expect(batches).toEqual([[1], [2, 13, 4], [2], [13], [4]]);
  });

  it('fails a batch as a whole where the database cannot be reached, and goes on', async () => {
    const { all, add } = doubling();
    expect((await all(1, 2, -1)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await add(3)).toBe(6);
  });
});
