import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { GatedDatabase } from './gated-database.js';
import { commandsOf, newModel } from './model-commands.js';
import { ModelRun } from './model-run.js';

/** Total number of commands; MODEL_STEPS=10000 takes some minutes. */
const STEPS = Number(process.env.MODEL_STEPS ?? 240);
/** Maximum number of commands in a run. After them, the run ends all work. On average a run has half as many. */
const OF_A_RUN = 120;
const SEED = process.env.MODEL_SEED ? Number(process.env.MODEL_SEED) : undefined;

let database: GatedDatabase;
beforeAll(async () => {
  database = await GatedDatabase.create();
  Logger.overrideLogger(false);
});
afterAll(() => database.close());

describe('workers that are killed, cut off and overtaken at any statement', () => {
  it(
    'end every send, count no message twice, serve first who waited longest and leave no row behind',
    async () => {
      const seed = SEED ?? Math.floor(Math.random() * 2 ** 31);
      const totals = { runs: 0, commands: 0, statements: 0, accepted: 0 };
      const property = fc.asyncProperty(commandsOf(OF_A_RUN), fc.boolean(), async (commands, isShuffled) => {
        const run = new ModelRun(database, isShuffled);
        try {
          await run.begin();
          await fc.asyncModelRun(() => ({ model: newModel(), real: run }), commands);
          await run.end();
        } finally {
          await run.close();
          totals.runs++;
          totals.commands += run.commands;
          totals.statements += run.statements;
          totals.accepted += run.world.accepted.size;
        }
      });
      const numRuns = Math.max(1, Math.ceil(STEPS / (OF_A_RUN / 2)));
      // To repeat a failed run, set MODEL_SEED, which also shrinks it. MODEL_PATH skips the runs before it.
      const result = await fc.check(property, {
        seed,
        numRuns,
        path: process.env.MODEL_PATH,
        endOnFailure: SEED === undefined,
      });
      const summary = `seed ${seed}: ${JSON.stringify(totals)}`;
      process.stdout.write(`${summary}\n`);
      if (result.failed)
        throw new Error(`${summary}\n${await fc.asyncDefaultReportMessage(result)}`, { cause: result.errorInstance });
      expect(totals.accepted).toBeGreaterThan(0);
    },
    Math.max(300_000, STEPS * 200),
  );
});
