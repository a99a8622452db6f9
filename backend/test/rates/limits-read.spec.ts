import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { DeliveryTuning } from '../../src/modules/delivery/delivery-tuning.js';
import { ProviderThrottles } from '../../src/modules/delivery/throttling/provider-throttles.service.js';
import { type LimiterState, NEVER_USED } from '../../src/modules/mail-accounts/index.js';

/** Ms that have passed. */
let passed = 0;
beforeEach(() => {
  const [wall, steady] = [Date.now(), performance.now()];
  passed = 0;
  jest.spyOn(Date, 'now').mockImplementation(() => wall + passed);
  jest.spyOn(performance, 'now').mockImplementation(() => steady + passed);
});
afterEach(() => void jest.restoreAllMocks());

/** A worker that reads another worker's cuts from the table. */
function worker() {
  const table = new Map<string, LimiterState>();
  const read: number[] = [];
  let account = 'one';
  const limiter = {
    active: (_account: string, since = 0) => {
      const found = [...table].filter(([, { cutAt }]) => cutAt > since);
      read.push(found.length);
      return Promise.resolve(new Map(found));
    },
  };
  const throttles = new ProviderThrottles(
    new DeliveryTuning(),
    limiter as never,
    { inUse: () => Promise.resolve({ id: account, config: {} }) } as never,
    { providerOf: (domain: string) => `mx of ${domain}` } as never,
    { use: () => undefined } as never,
    { embedded: new Set() } as never,
  );
  const look = async (ms: number) => {
    passed += ms;
    await throttles.admit([{ domain: 'x.test', provider: '' }]);
  };
  return { table, read, throttles, look, use: (name: string) => (account = name) };
}

const cut = (): LimiterState => ({ ...NEVER_USED, cutAt: Date.now() });

it('a worker reads all limits once a minute, and between only those that were just cut', async () => {
  const { table, read, throttles, look, use } = worker();
  for (let i = 0; i < 1_000; i++) table.set(`d${i}.test`, cut());
  passed = 120_000;
  table.set('last.test', cut());
  await look(0);
  expect(read).toEqual([1_001]);
  for (let i = 0; i < 20; i++) await look(2_500);
  expect(read.slice(1)).toEqual(Array(20).fill(1));
  // A cut by another worker is known after the next read, and earlier cuts are kept.
  table.set('fresh.test', cut());
  expect(throttles.providerOf('fresh.test')).toBe('mx of fresh.test');
  await look(2_500);
  expect(read.at(-1)).toBe(2);
  expect(throttles.providerOf('fresh.test')).toBe('fresh.test');
  expect(throttles.providerOf('d7.test')).toBe('d7.test');
  // A cut that is no longer in the table is forgotten within a minute.
  table.delete('d7.test');
  await look(10_000);
  expect(read.at(-1)).toBe(1_001);
  expect(throttles.providerOf('d7.test')).toBe('mx of d7.test');
  // Another account has its own limits.
  table.clear();
  use('two');
  await look(2_500);
  expect(throttles.providerOf('d8.test')).toBe('mx of d8.test');
});
