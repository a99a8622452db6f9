import fc from 'fast-check';
import type { ModelRun } from './model-run.js';
import { following, WORKERS } from './model-run.js';
import { DOMAINS, HOLDERS } from './model-world.js';

/** State of the model that decides which commands are possible. */
export interface Model {
  sends: ('open' | 'paused' | 'cancelled')[];
  living: boolean[];
}

export const newModel = (): Model => ({ sends: [], living: Array.from({ length: WORKERS }, () => true) });

/** Maximum number of sends in one run. */
const SENDS = 12;
/** Number of statements that run after all account holders have sent to one provider. */
const IN_A_CROWD = 60;
/** Part of the statement that removes an empty backlog. */
const EMPTY_BACKLOG = 'and waiting <= 0';

type Command = fc.AsyncCommand<Model, ModelRun>;

/** @param apply changes the model and returns a description */
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

/** The index of the n-th send in one of these states, modulo their number; -1 if there is none. */
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

/**
 * All account holders send to the same slow provider, and some statements run, so that the fairness between them is
 * tested.
 */
const crowd = fc.tuple(domain, at).map(([provider, seed]) =>
  command(
    `everybody sends to ${provider}, ${seed}`,
    ({ sends }) => sends.length + HOLDERS <= SENDS,
    async (model, run) => {
      for (let holder = 0; holder < HOLDERS; holder++) {
        model.sends.push('open');
        await run.world.accept(
          holder,
          Array.from({ length: 6 }, () => provider),
        );
      }
      await run.pass(0);
      for (let i = 0, n = seed; i < IN_A_CROWD; i++, n = following(n)) await run.statement(n);
    },
  ),
);

/** A worker loses the database after the last message of a small send and before its backlog is removed. */
const strand = fc
  .tuple(fc.nat(HOLDERS - 1), fc.constantFrom('slow.test', 'slowest.test'), at)
  .map(([holder, provider, seed]) =>
    command(
      `${holder} sends to ${provider}, whose backlog does not end, ${seed}`,
      ({ sends }) => sends.length < SENDS,
      async (model, run) => {
        model.sends.push('open');
        await run.world.accept(holder, [provider, provider, provider]);
        await run.pass(0);
        const halt = await run.advance(EMPTY_BACKLOG, 'start', seed);
        if (halt) await run.meet(halt, 'lost');
      },
    ),
  );

const step = at.map((n) => command(`step ${n}`, always, (_, run) => run.step(n)));

/** Runs a number of statements. A pseudo-random number chooses the next one each time. */
const statements = fc.tuple(at, fc.integer({ min: 1, max: 25 })).map(([seed, count]) =>
  command(`${count} statements from ${seed}`, always, async (_, run) => {
    for (let i = 0, n = seed; i < count; i++, n = following(n)) await run.statement(n);
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

/** Parts of statements, at which a worker is killed or disconnected, or before whose commit another call is made. */
const KINDS = [
  'pg_try_advisory_xact_lock(2026', // leases backlogs
  'insert into delivery_shares', // leases a range
  'with went', // moves a range's messages to a backlog
  'with back', // moves marked messages to a backlog
  'marked as', // marks messages
  'message_id = coalesce', // writes results
  'with moved', // counts messages of a backlog as done
  EMPTY_BACKLOG,
  'with gone', // removes a range
  'settled_at = coalesce', // ends a send
];
/** Leases, and removing an empty backlog, are chosen more often, because they begin and end the life of a backlog. */
const kind = fc.oneof(fc.constantFrom(...KINDS), fc.constantFrom(KINDS[0]!, KINDS[7]!));
const place = fc.constantFrom('start', 'commit');

/** Kills a worker, or cuts its connection, at a statement of the chosen kind. */
const fail = fc.tuple(kind, place, at, fc.boolean(), fc.boolean()).map(([sql, where, seed, isKilled, isDone]) =>
  command(
    `${isKilled ? 'kill' : 'cut off'} at the ${where} of ${sql} ${seed}${isDone ? ', done' : ''}`,
    always,
    async (model, run) => {
      const halt = await run.advance(sql, where, seed);
      if (!halt) return;
      const outcome = isDone ? 'lost after commit' : 'lost';
      if (!isKilled) return run.meet(halt, outcome);
      const index = run.indexOf(halt.actor);
      model.living[index] = false;
      await run.kill(index, outcome);
    },
  ),
);

/** Pauses, resumes or cancels a send between the run and the commit of a statement of the chosen kind. */
const overtake = (
  action: 'pause' | 'resume' | 'cancel',
  from: readonly Model['sends'][number][],
  to: Model['sends'][number],
) =>
  fc.tuple(kind, at).map(([sql, n]) =>
    command(
      `${action} ${n} within ${sql}`,
      (model) => nth(model, n, from) >= 0,
      async (model, run) => {
        const which = nth(model, n, from);
        model.sends[which] = to;
        await run.advance(sql, 'commit', n);
        await run.control(action, which);
      },
    ),
  );

/**
 * A sender pauses a send that waits for its provider, and resumes it after a statement of the chosen kind has run and
 * before it is committed.
 */
const changeOfMind = fc.tuple(kind, at).map(([sql, n]) =>
  command(
    `pause ${n} and resume within ${sql}`,
    (model) => nth(model, n, ['open']) >= 0,
    async (model, run) => {
      const waiting = (await run.waitingSends()).filter((which) => model.sends[which] === 'open');
      const which = waiting[n % waiting.length] ?? nth(model, n, ['open']);
      await run.control('pause', which);
      await run.advance(sql, 'commit', n);
      await run.control('resume', which);
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
  .constantFrom(0.5, 0.5, 1, 1, 2, 2, 6, 6, 61)
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

/** Commands with their relative frequencies. */
const OFTEN: readonly [number, fc.Arbitrary<Command>][] = [
  [8, accept],
  [2, crowd],
  [3, strand],
  [20, step],
  [30, statements],
  [3, lose],
  [3, kill],
  [4, start],
  [4, control('pause', ['open'], 'paused')],
  [6, control('resume', ['paused'], 'open')],
  [1, control('cancel', ['open', 'paused'], 'cancelled')],
  [20, fail],
  [15, changeOfMind],
  [2, overtake('pause', ['open'], 'paused')],
  [5, overtake('resume', ['paused'], 'open')],
  [1, overtake('cancel', ['open', 'paused'], 'cancelled')],
  [8, pass],
  [4, refuse],
  [3, sweep],
  [1, flush],
];

/** The commands of one run. */
export const commandsOf = (maxCommands: number) =>
  fc.commands(
    OFTEN.flatMap(([times, arbitrary]) => Array.from({ length: times }, () => arbitrary)),
    { maxCommands, size: 'max' },
  );
