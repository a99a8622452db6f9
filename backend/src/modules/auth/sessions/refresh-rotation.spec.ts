import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type RefreshTokens, rotate } from './refresh-rotation.js';

/** A session whose tokens are named t0, t1, … in the order in which they are issued. */
class Session {
  tokens: RefreshTokens = { current: 't0', previous: null, pending: [] };
  ended = false;
  private made = 0;

  /** @returns the issued token; null if a parallel request received it; undefined if the session ended */
  show(token: string, isParallel: boolean): string | null | undefined {
    if (this.ended) return undefined;
    const next = `t${this.made + 1}`;
    const rotation = rotate(this.tokens, token, next, isParallel);
    if (rotation.kind === 'reused') {
      this.ended = true;
      return undefined;
    }
    if (rotation.kind === 'parallel') return null;
    this.made += 1;
    this.tokens = rotation.tokens;
    return next;
  }
}

/** One round of a browser: how many tabs send the same token, and whether the answer arrives. */
const round = fc.record({ tabs: fc.integer({ min: 1, max: 4 }), arrives: fc.boolean() });

describe('rotation of refresh tokens', () => {
  it('never signs an honest browser out, whichever answers are lost', () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 30 }), (rounds) => {
        const session = new Session();
        let held = 't0';
        for (const { tabs, arrives } of rounds) {
          const answers = Array.from({ length: tabs }, (_, n) => session.show(held, n > 0));
          expect(session.ended).toBe(false);
          expect(answers.filter(Boolean)).toHaveLength(1);
          if (arrives) held = answers.find(Boolean)!;
        }
      }),
    );
  });

  it('ends the session when a token older than the previous one comes back', () => {
    fc.assert(
      fc.property(fc.array(round, { maxLength: 20 }), fc.nat(), (rounds, pick) => {
        const session = new Session();
        const shown = ['t0'];
        for (const { tabs, arrives } of rounds) {
          const next = Array.from({ length: tabs }, (_, n) => session.show(shown.at(-1)!, n > 0)).find(Boolean);
          if (arrives) shown.push(next!);
        }
        const { current, previous, pending } = session.tokens;
        const older = shown.filter((token) => ![current, previous, ...pending].includes(token));
        fc.pre(older.length > 0);
        expect(session.show(older[pick % older.length]!, false)).toBeUndefined();
        expect(session.ended).toBe(true);
      }),
    );
  });

  it('detects a copied token once both holders have used theirs, in either order and at any interval', () => {
    fc.assert(
      fc.property(
        fc.array(round, { maxLength: 10 }),
        fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        (rounds, turns) => {
          const session = new Session();
          const held = { owner: 't0', thief: '' };
          for (const { tabs, arrives } of rounds) {
            const next = Array.from({ length: tabs }, (_, n) => session.show(held.owner, n > 0)).find(Boolean);
            if (arrives) held.owner = next!;
          }
          held.thief = held.owner;
          const used = { owner: 0, thief: 0 };
          for (const isThief of turns) {
            const who = isThief ? 'thief' : 'owner';
            const next = session.show(held[who], false);
            if (next) held[who] = next;
            used[who] += 1;
            if (used.owner >= 2 && used.thief >= 2) break;
          }
          fc.pre(used.owner >= 2 && used.thief >= 2);
          expect(session.ended).toBe(true);
        },
      ),
    );
  });

  it('accepts a successor whose answer arrives after a retry, until another successor is used', () => {
    const session = new Session();
    const late = session.show('t0', false)!;
    const retried = session.show('t0', false)!;
    expect(session.show(late, false)).toBeTruthy();
    expect(session.show(retried, false)).toBeUndefined();
  });
});
