import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { mintToken } from '../../../src/shared/tokens/tokens.js';
import { startApp, type TestApp } from '../../kit/app.js';

jest.setTimeout(600_000);

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const SAMPLES = 120;
const RUNS = 6;
const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Measures both kinds alternately and in changing order, so that other load affects both alike. */
async function compare(
  call: (known: boolean) => Promise<void>,
  lanes: number,
): Promise<{ known: number; unknown: number }> {
  const times: Record<'true' | 'false', number[]> = { true: [], false: [] };
  const lane = async (pairs: number) => {
    for (let n = 0; n < pairs; n += 1) {
      for (const known of n % 2 ? [true, false] : [false, true]) {
        const start = performance.now();
        await call(known);
        times[`${known}`].push(performance.now() - start);
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, () => lane(SAMPLES / lanes)));
  return { known: median(times.true), unknown: median(times.false) };
}

/** Medians of a single run may differ by chance; those of a real leak differ in every run. */
async function expectAlike(call: (known: boolean) => Promise<void>, lanes = 1): Promise<void> {
  const gaps: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { known, unknown } = await compare(call, lanes);
    gaps.push(Math.abs(known - unknown) / Math.max(known, unknown));
    if (gaps.at(-1)! < 0.1) return;
  }
  throw new Error(`the medians differ by ${gaps.map((gap) => `${Math.round(gap * 100)} %`).join(', ')}`);
}

describe('response times reveal no account', () => {
  it('S9: a failed sign-in', async () => {
    const { email } = await app.user();
    const bodies = new Set<string>();
    await expectAlike(async (known) => {
      const answer = await app
        .http()
        .post('/api/auth/login')
        .send({ email: known ? email : 'nobody@attack.test', password: 'not this one' })
        .expect(401);
      bodies.add(JSON.stringify(answer.body));
    });
    expect(bodies.size).toBe(1);
  });

  it('S18: a forgotten password', async () => {
    const { email } = await app.user();
    const bodies = new Set<string>();
    await expectAlike(async (known) => {
      const answer = await app
        .http()
        .post('/api/auth/forgot-password')
        .send({ email: known ? email : 'nobody@attack.test' })
        .expect(200);
      bodies.add(JSON.stringify(answer.body));
    }, 8);
    expect(bodies.size).toBe(1);
  });

  it('an unknown, malformed or overlong unsubscribe link', async () => {
    const kinds = { unknown: () => mintToken(), malformed: () => 'no-token', endless: () => 'x'.repeat(10_000) };
    const bodies = new Set<string>();
    for (let run = 0; ; run += 1) {
      const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]));
      for (let n = 0; n < SAMPLES / 4; n += 1) {
        for (const [kind, token] of Object.entries(kinds)) {
          const start = performance.now();
          const { body } = await app.http().get(`/api/unsubscribe/${token()}`).expect(404);
          times.get(kind)!.push(performance.now() - start);
          bodies.add(JSON.stringify(body));
        }
      }
      const medians = [...times.values()].map(median);
      if (Math.max(...medians) - Math.min(...medians) <= 20) break;
      if (run === RUNS - 1) throw new Error(`the medians are ${medians.map((ms) => `${ms.toFixed(1)} ms`).join(', ')}`);
    }
    expect([...bodies]).toEqual([
      JSON.stringify({
        statusCode: 404,
        code: 'not_found',
        message: 'Invalid unsubscribe link',
        error: 'Invalid unsubscribe link',
      }),
    ]);
  });
});
