import { eventLoopBlockedMs } from '../../test/kit/event-loop-block.js';
import { TEXT_PARSERS } from '../../test/kit/samples/text-parsers.js';
import { figure, type Figure } from '../goals/goals.js';
import type { Scenario } from '../scenario.js';

/** Shorter times, in ms, count as this long, because their growth would be noise. */
const SHORTEST_MS = 0.5;
/** Each text is parsed again and again for at least this time, in ms. */
const MIN_MS = 20;

/**
 * Goal 23: how much longer each parser takes for a whole hostile text than for a quarter of it, and for how long it
 * blocks the event loop.
 */
export const texts: Scenario = async ({ rounds }) => {
  const figures: Figure[] = [];
  for (const [name, { size, kinds }] of Object.entries(TEXT_PARSERS)) {
    let [growth, steepest, held, longest] = [0, '', 0, ''];
    for (const [kind, of] of Object.entries(kinds)) {
      const [short, long] = [of(size / 4), of(size)];
      const grown = (await fastest(long, rounds)) / Math.max(SHORTEST_MS, await fastest(short, rounds));
      if (grown > growth) [growth, steepest] = [grown, kind];
      let block = Infinity;
      for (let round = 0; round < rounds; round++)
        block = Math.min(block, await eventLoopBlockedMs(async () => void (await long())));
      if (block > held) [held, longest] = [block, kind];
    }
    figures.push(
      figure('23', growth, `${name}: ${shown(steepest)}`),
      figure('23b', held, `${name}: ${shown(longest)}`),
    );
  }
  return figures;
};

/** Fastest of some runs, in ms. Short runs are repeated often, so that the code is compiled. */
async function fastest(parse: () => unknown, rounds: number): Promise<number> {
  let [ms, all] = [Infinity, 0];
  for (let round = 0; round < rounds || all < MIN_MS; round++) {
    const start = performance.now();
    await parse();
    const took = performance.now() - start;
    ms = Math.min(ms, took);
    all += took;
  }
  return ms;
}

const shown = (kind: string): string => (/^[ -~]+$/.test(kind) ? kind : JSON.stringify(kind));
