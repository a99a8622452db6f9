import { describe, expect, it } from '@jest/globals';
import { PolicyRefusals } from '../../src/modules/delivery/throttling/policy-refusals.js';

const MINUTE = 60_000;
const sender = (userId: string, sendId = `send of ${userId}`) => ({ userId, sendId });

describe('consecutive policy refusals', () => {
  it('of account holders long ago do not pause a domain today', () => {
    const refusals = new PolicyRefusals();
    for (let i = 0; i < 3; i++) refusals.refused('x.test', sender('a'), i);
    expect(refusals.refused('x.test', sender('b'), 30 * MINUTE)).toBeUndefined();
    expect(refusals.refused('x.test', sender('b'), 30 * MINUTE)).toBeUndefined();
  });

  it('count as consecutive as long as each follows the last within some minutes', () => {
    const refusals = new PolicyRefusals();
    const held = [0, 1, 2, 3, 4].map((minute) => refusals.refused('x.test', sender('a'), minute * MINUTE));
    expect(held).toEqual([undefined, undefined, undefined, undefined, 'send']);
  });

  it('are stored for a bounded number of sends, the latest ones', () => {
    const refusals = new PolicyRefusals();
    for (let i = 0; i < 20_000; i++) {
      refusals.refused('x.test', sender('a', `send ${i}`), i);
      refusals.ended('x.test', sender('b'));
    }
    expect(refusals.size).toBeLessThan(2_000);
    const held = [1, 2, 3, 4].map((i) => refusals.refused('x.test', sender('a', 'send 19999'), 20_000 + i));
    expect(held.at(-1)).toBe('send');
  });

  it('are forgotten after some minutes', () => {
    const refusals = new PolicyRefusals();
    for (let i = 0; i < 100; i++) refusals.refused(`${i}.test`, sender('a'), i);
    refusals.refused('x.test', sender('a'), 30 * MINUTE);
    expect(refusals.size).toBe(1);
  });
});
