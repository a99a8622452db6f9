import { afterEach, expect, it, jest } from '@jest/globals';
import { countKey, RecentCounts } from './recent-counts.js';

afterEach(() => {
  jest.useRealTimers();
});

const counting = (counts: RecentCounts<number>) => {
  const count = jest.fn<() => Promise<number>>();
  const ask = () => counts.find('key') ?? counts.start('key', count);
  return { count, ask };
};

it('requests at the same time share one count, and later ones its result for half a minute', async () => {
  jest.useFakeTimers();
  const { count, ask } = counting(new RecentCounts(() => true));
  count.mockResolvedValueOnce(1).mockResolvedValueOnce(2);
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  jest.advanceTimersByTime(29_000);
  expect(await ask()).toBe(1);
  jest.advanceTimersByTime(2_000);
  expect(await ask()).toBe(2);
});

it('a count that fails is told to everybody who shares it, and is not kept', async () => {
  const { count, ask } = counting(new RecentCounts(() => true));
  count.mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce(2);
  const shared = await Promise.allSettled([ask(), ask()]);
  expect(shared.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask()).toBe(2);
});

it('a result that must not be kept is counted again', async () => {
  const { count, ask } = counting(new RecentCounts((result) => result > 0));
  count.mockResolvedValueOnce(0).mockResolvedValueOnce(3);
  expect([await ask(), await ask()]).toEqual([0, 3]);
});

it('forgets the oldest results beyond a thousand', async () => {
  const counts = new RecentCounts<number>(() => true);
  for (let n = 0; n <= 1_000; n++) await counts.start(`key ${n}`, () => Promise.resolve(n));
  expect([counts.find('key 0'), await counts.find('key 1'), await counts.find('key 1000')]).toEqual([
    undefined,
    1,
    1_000,
  ]);
});

it('keys tell audiences apart', () => {
  expect(countKey('user', ['a', 'b'], null)).toBe(countKey('user', ['a', 'b'], null));
  expect(countKey('user', ['a'], 'b')).not.toBe(countKey('user', ['a', 'b']));
});
