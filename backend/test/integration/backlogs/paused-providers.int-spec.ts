import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProviderRateLimiter } from '../../../src/modules/mail-accounts/rate-limits/provider-rate-limiter.service.js';
import { MAX_POLICY_PAUSE_SECONDS } from '../../../src/modules/mail-accounts/rate-limits/rate-limit.js';
import { RateStore } from '../../../src/modules/mail-accounts/rate-limits/rate-store.js';
import { ProviderBacklogs } from '../../../src/modules/delivery/throttling/backlogs/provider-backlogs.service.js';
import { type Actor, GatedDatabase } from './gated-database.js';

let database: GatedDatabase;
let worker: Actor;
let limiter: ProviderRateLimiter;
beforeAll(async () => {
  database = await GatedDatabase.create();
  worker = database.actor('worker');
  limiter = new ProviderRateLimiter(new RateStore(worker.em));
});
afterAll(() => database.close());

const refuse = (provider: string) =>
  limiter.pause('smtp', provider, MAX_POLICY_PAUSE_SECONDS, 1 / 60, '554 we know you not');
const reserve = async (provider: string) =>
  (await limiter.reserve('smtp', [{ provider, wanted: 5, most: Infinity, lookaheadMs: 500 }])).get(provider)!;
const isPaused = async (provider: string) => ((await limiter.active('smtp')).get(provider)?.pausedUntil ?? 0) > 0;
const shown = async (provider: string) =>
  (await new ProviderBacklogs(worker.em).list()).find((one) => one.provider === provider)?.pausedUntil;

/** Changes the rows as if the database's clock had been set back. */
const setBack = (hours: number) =>
  database.query(
    `update provider_rates set paused_until = paused_until + make_interval(hours => $1), next_at = next_at + make_interval(hours => $1),
       used_at = used_at + make_interval(hours => $1), cut_at = cut_at + make_interval(hours => $1)`,
    [hours],
  );

describe('the pause of a provider that refuses our mail', () => {
  it('holds for its time, and is over where the clock of the database was set back', async () => {
    await refuse('refusing.test');
    await database.query(
      `insert into provider_minutes (account, provider, minute, accepted) values ('smtp', 'refusing.test', date_trunc('minute', now()), 1)`,
    );
    expect(await isPaused('refusing.test')).toBe(true);
    const waiting = await reserve('refusing.test');
    expect(waiting.granted).toBe(0);
    expect(waiting.retryInMs).toBeGreaterThan((MAX_POLICY_PAUSE_SECONDS - 600) * 1000);
    expect(await shown('refusing.test')).toBeTruthy();
    await setBack(5);
    expect(await isPaused('refusing.test')).toBe(false);
    expect(await shown('refusing.test')).toBeNull();
    // The provider starts with single messages, as after the end of a pause.
    expect(await reserve('refusing.test')).toMatchObject({ granted: 1 });
    expect((await reserve('refusing.test')).granted).toBe(0);
    // The next refusal pauses it again.
    await refuse('refusing.test');
    expect(await isPaused('refusing.test')).toBe(true);
    expect((await reserve('refusing.test')).granted).toBe(0);
  });

  it('is seen by workers that know a cut from before the clock of the database was set back', async () => {
    const cutAt = async () => (await limiter.active('smtp')).get('before.test')!.cutAt;
    await refuse('before.test');
    const before = await cutAt();
    await setBack(5);
    const known = await cutAt();
    expect(known - before).toBeCloseTo(5 * 3_600_000, 0);
    await refuse('after.test');
    expect([...(await limiter.active('smtp', known)).keys()]).toContain('after.test');
  });
});
