import { afterEach, beforeEach, describe } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { randomOf } from './random.js';
import { FaultWorld } from './world.js';

/**
 * FAULT_SEEDS is the number of seeds, and FAULT_SEED the first one. A failing test names its seed. Tests marked [short]
 * also run with `npm test`.
 */
const FIRST = Number(process.env.FAULT_SEED ?? 1);
const SEEDS = Array.from({ length: Number(process.env.FAULT_SEEDS ?? 1) }, (_, i) => FIRST + i);
/** Maximum number of messages in flight of a worker: the window in world-settings.ts. */
export const MAX_IN_FLIGHT = 10;

/** Generates this many addresses at five domains. */
export const many = (name: string, n: number): string[] =>
  Array.from({ length: n }, (_, i) => `${name}-${i}@x${i % 5}.test`);

/** Context of a test: its world, not started yet, and its seeded random numbers. */
export class Fault {
  world: FaultWorld;
  random: () => number;

  constructor(readonly seed: number) {}

  /** Waits for a time, in ms, between the two bounds, which the seed determines. */
  after = (from: number, to: number): Promise<void> => pause(from + this.random() * (to - from));
}

/** Tests of one subject, each with its own world, run once for each seed. */
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
