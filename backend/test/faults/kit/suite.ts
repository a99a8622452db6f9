import { afterEach, beforeEach, describe } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { randomOf } from './random.js';
import { FaultWorld } from './world.js';

/** FAULT_SEEDS: how many; FAULT_SEED: the first. A failing test names its seed. [short] ones run with `npm test`. */
const FIRST = Number(process.env.FAULT_SEED ?? 1);
const SEEDS = Array.from({ length: Number(process.env.FAULT_SEEDS ?? 1) }, (_, i) => FIRST + i);
/** Messages a worker may have in its hands: the window of kit/world.ts. */
export const IN_HANDS = 10;

/** So many addresses, at five domains. */
export const many = (name: string, n: number): string[] => Array.from({ length: n }, (_, i) => `${name}-${i}@x${i % 5}.test`);

/** What a test of the suite has: its world, not started yet, and chance that its seed decides. */
export class Fault {
  world: FaultWorld;
  random: () => number;

  constructor(readonly seed: number) {}

  /** Waits for a while that the seed chooses. */
  after = (from: number, to: number): Promise<void> => pause(from + this.random() * (to - from));
}

/** Tests of one theme, each with a world of its own, once for each seed. */
export function faults(theme: string, tests: (fault: Fault) => void): void {
  describe.each(SEEDS)(`${theme}, seed %i`, (seed) => {
    const fault = new Fault(seed);
    beforeEach(() => {
      fault.world = new FaultWorld();
      fault.random = randomOf(seed);
    });
    afterEach(() => fault.world.stop());
    tests(fault);
  });
}
