import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './paths.mjs';
import { CliError } from './say.mjs';

const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];

/**
 * The suites of `npm test`, in order. `built` suites need the compiled product. Suites with `beside` mostly wait for
 * processes and connections; they run one after another, in parallel with the suite that `beside` names. `limitMinutes`
 * is several times what a suite takes on two idle processors, because it also has to end beside other work.
 */
export const SUITES = [
  { name: 'openapi', kind: 'script', command: ['scripts/drift.mjs'], cwd: '.', built: true, limitMinutes: 5 },
  { name: 'backend', kind: 'jest', command: JEST, cwd: 'backend', services: true, built: true, limitMinutes: 30 },
  { name: 'frontend', kind: 'jest', command: JEST, cwd: 'frontend', limitMinutes: 25 },
  {
    name: 'boot',
    kind: 'node',
    files: ['backend/embedded/test/*.test.ts', 'scripts/test/*.test.mjs'],
    cwd: '.',
    beside: 'frontend',
    limitMinutes: 8,
  },
  {
    name: 'cluster',
    kind: 'jest',
    command: [...JEST, '--config', 'jest.cluster.config.js'],
    cwd: 'backend',
    services: true,
    built: true,
    beside: 'frontend',
    nginx: true,
    limitMinutes: 8,
  },
  {
    name: 'faults',
    kind: 'jest',
    command: [...JEST, '--config', 'jest.faults.config.js', '--testNamePattern=\\[short\\]'],
    cwd: 'backend',
    services: true,
    built: true,
    beside: 'frontend',
    limitMinutes: 8,
  },
  {
    name: 'e2e',
    kind: 'jest',
    command: [...JEST, '--config', 'e2e/jest.config.js'],
    cwd: 'frontend',
    needs: 'frontend/e2e/jest.config.js',
    services: true,
    built: true,
    browser: true,
    limitMinutes: 25,
  },
];

/** Limit for a single file that is run again. */
export const FILE_LIMIT_MINUTES = 10;

/**
 * Limit for the whole run with its repeats. CI allows an hour, which includes the installation and the checks before
 * the suites.
 */
export const RUN_LIMIT_MINUTES = 55;

/**
 * Splits the arguments into suite names, `--no-repeat` (failures are not run again) and arguments for the runner of a
 * single suite.
 */
export function selectSuites(args) {
  const names = args.filter((arg) => SUITES.some((suite) => suite.name === arg));
  const passed = args.filter((arg) => !names.includes(arg) && arg !== NO_REPEAT);
  if (passed.length > 0 && names.length !== 1) {
    throw new CliError(
      `Unknown suite: ${passed.join(' ')}. The suites are ${SUITES.map((suite) => suite.name).join(', ')}; ` +
        'arguments for a test runner need the name of one suite before them.',
    );
  }
  const suites = SUITES.filter((suite) => names.length === 0 || names.includes(suite.name));
  return {
    suites: suites.filter((suite) => !suite.needs || existsSync(join(ROOT, suite.needs))),
    passed,
    repeats: !args.includes(NO_REPEAT),
  };
}

const NO_REPEAT = '--no-repeat';

/** Options of Jest and of Node's test runner that take the next word as their value. */
const WITH_VALUE = new Set(['-t', '--testNamePattern', '--test-name-pattern', '--testTimeout', '--seed']);

/**
 * The options among arguments for a runner, without the files that they select, because a repeat selects its own file.
 */
export function optionsOnly(args) {
  return args.filter((arg, i) => arg.startsWith('-') || WITH_VALUE.has(args[i - 1]));
}

/** The suites in order, each with the suites that run in parallel with it. */
export function inGroups(suites) {
  const isBeside = (one) => suites.some(({ name }) => name === one.beside);
  return suites
    .filter((suite) => !isBeside(suite))
    .map((suite) => ({ suite, beside: suites.filter(({ beside }) => beside === suite.name) }));
}

/** Whether any selected suite needs the compiled product. */
export function needsBuild(args) {
  return selectSuites(args).suites.some((suite) => suite.built);
}
