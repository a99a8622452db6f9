import fc from 'fast-check';
import type { ModelRun } from './model-run.js';
import { WORKERS } from './model-run.js';
import { DOMAINS, HOLDERS } from './model-world.js';

/** What a command has to know to make sense. */
export interface Model {
  sends: ('open' | 'paused' | 'cancelled')[];
  living: boolean[];
}

export const newModel = (): Model => ({ sends: [], living: Array.from({ length: WORKERS }, () => true) });

/** Most sends of one run. */
const SENDS = 12;

type Command = fc.AsyncCommand<Model, ModelRun>;

/** @param apply changes the model, and says what happens */
function command(
  name: string,
  isPossible: (model: Model) => boolean,
  apply: (model: Model, run: ModelRun) => Promise<void>,
): Command {
  return {
    check: isPossible,
    run: async (model, run) => {
      run.commands++;
      await apply(model, run);
      run.check();
    },
    toString: () => name,
  };
}

/** The n-th of the sends in a state, counted round. */
const nth = (model: Model, n: number, states: readonly Model['sends'][number][]): number => {
  const found = [...model.sends.keys()].filter((at) => states.includes(model.sends[at]!));
  return found.length === 0 ? -1 : found[n % found.length]!;
};

const control = (
  action: 'pause' | 'resume' | 'cancel',
  from: readonly Model['sends'][number][],
  to: Model['sends'][number],
) =>
  fc.nat(SENDS).map((n) =>
    command(
      `${action} ${n}`,
      (model) => nth(model, n, from) >= 0,
      async (model, run) => {
        const at = nth(model, n, from);
        model.sends[at] = to;
        await run.control(action, at);
      },
    ),
  );

const always = () => true;
const at = fc.nat(1_000);
const worker = fc.nat(WORKERS - 1);
const domain = fc.constantFrom(...DOMAINS);
const domains = fc.oneof(
  fc.array(domain, { minLength: 1, maxLength: 3 }),
  fc.array(domain, { minLength: 8, maxLength: 20 }),
);

const accept = fc.tuple(fc.nat(HOLDERS - 1), domains).map(([holder, recipients]) =>
  command(
    `accept ${recipients.length} of ${holder}`,
    ({ sends }) => sends.length < SENDS,
    async (model, run) => {
      model.sends.push('open');
      await run.world.accept(holder, recipients);
      await run.pass(0);
    },
  ),
);

const step = at.map((n) => command(`step ${n}`, always, (_, run) => run.step(n)));

/** Statements one after another, each at the place that a generator of random numbers says. */
const statements = fc.tuple(at, fc.integer({ min: 1, max: 6 })).map(([seed, count]) =>
  command(`${count} statements from ${seed}`, always, async (_, run) => {
    for (let i = 0, n = seed; i < count; i++, n = (n * 7_919 + 104_729) % 1_000_003) await run.statement(n);
  }),
);

const lose = fc
  .tuple(at, fc.boolean())
  .map(([n, isDone]) =>
    command(`lose the connection ${n}${isDone ? ' after the commit' : ''}`, always, (_, run) =>
      run.step(n, isDone ? 'lost after commit' : 'lost'),
    ),
  );

const kill = fc.tuple(worker, fc.boolean()).map(([index, isDone]) =>
  command(
    `kill ${index}${isDone ? ' after the commit' : ''}`,
    ({ living }) => living[index]!,
    async (model, run) => {
      model.living[index] = false;
      await run.kill(index, isDone ? 'lost after commit' : 'lost');
    },
  ),
);

const start = worker.map((index) =>
  command(
    `start ${index}`,
    ({ living }) => !living[index],
    async (model, run) => {
      model.living[index] = true;
      await run.restart(index);
    },
  ),
);

const pass = fc
  .constantFrom(0.5, 1, 2, 6, 61)
  .map((seconds) => command(`${seconds} s pass`, always, (_, run) => run.pass(seconds)));

const refuse = fc.tuple(domain, fc.boolean()).map(([provider, isRefusing]) =>
  command(`${provider} ${isRefusing ? 'refuses' : 'takes again'}`, always, (_, run) => {
    run.world.provider(provider).isRefusing = isRefusing;
    return Promise.resolve();
  }),
);

const sweep = worker.map((index) =>
  command(
    `sweep by ${index}`,
    ({ living }) => living[index]!,
    (_, run) => run.sweep(index),
  ),
);

const flush = fc.constant(
  command('the job queue is emptied', always, (_, run) => {
    run.world.jobs.length = 0;
    return Promise.resolve();
  }),
);

/** Commands by how often they come. */
const OFTEN: readonly [number, fc.Arbitrary<Command>][] = [
  [8, accept],
  [20, step],
  [30, statements],
  [3, lose],
  [3, kill],
  [4, start],
  [4, control('pause', ['open'], 'paused')],
  [6, control('resume', ['paused'], 'open')],
  [1, control('cancel', ['open', 'paused'], 'cancelled')],
  [8, pass],
  [4, refuse],
  [3, sweep],
  [1, flush],
];

/** Commands of one run. */
export const commandsOf = (maxCommands: number) =>
  fc.commands(
    OFTEN.flatMap(([times, arbitrary]) => Array.from({ length: times }, () => arbitrary)),
    { maxCommands, size: 'max' },
  );
