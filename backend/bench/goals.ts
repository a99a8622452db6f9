import { AUDIENCE_BARS } from './goals-audience.js';

/** A measured value with its goal. */
export interface Figure {
  goal: string;
  name: string;
  target: string;
  last: string;
  value: number;
  unit: string;
  /**
   * The highest bar that the value reaches: `floor`, `target` or `last`, the most ambitious one. short: it misses the
   * floor; info: there is no goal.
   */
  verdict: 'last' | 'target' | 'floor' | 'short' | 'info';
  detail?: string;
}

export interface Bar {
  name: string;
  unit: string;
  floor: number;
  target: number;
  /** Absent where there is no bar beyond the target. */
  last?: number;
  /** Whether higher values are better. */
  up: boolean;
}

const BARS: Record<string, Bar> = {
  ...AUDIENCE_BARS,
  '1': {
    name: 'delivered and logged, one worker / nodemailer pool 10 (N)',
    unit: 'x',
    floor: 1.2,
    target: 2.5,
    last: 5,
    up: true,
  },
  '2': {
    name: 'processor time a message: the worker / own renderer and transport alone',
    unit: 'x',
    floor: 2,
    target: 1.7,
    last: 1.5,
    up: false,
  },
  '4': {
    name: '50 ms a message, 50 connections: share of 1000/s',
    unit: 'x',
    floor: 0.6,
    target: 0.85,
    last: 0.95,
    up: true,
  },
  '5': {
    name: 'DKIM RSA-2048 / nodemailer pool with DKIM (PEM)',
    unit: 'x',
    floor: 1.2,
    target: 2.5,
    last: 4,
    up: true,
  },
  '6': { name: 'worker memory, largest run / 10k', unit: 'x', floor: 1.25, target: 1.1, last: 1.05, up: false },
  '6b': { name: 'worker memory, peak', unit: 'MB', floor: 350, target: 200, last: 150, up: false },
  '7': {
    name: 'largest run with 2% 451, 1% cuts, both stores restarted: missing',
    unit: '',
    floor: 0,
    target: 0,
    last: 0,
    up: false,
  },
  '7b': { name: 'the same: copies beyond the cuts', unit: '', floor: 0, target: 0, last: 0, up: false },
  '7c': { name: 'the same: log rows missing', unit: '', floor: 0, target: 0, last: 0, up: false },
  '8': {
    name: 'SIGKILL at full speed ten times: doubles, the worst kill',
    unit: '',
    floor: 500,
    target: 120,
    last: 10,
    up: false,
  },
  '8b': { name: 'the same: missing', unit: '', floor: 0, target: 0, last: 0, up: false },
  '8c': {
    name: 'the same: first message after the restart, the worst',
    unit: 's',
    floor: 15,
    target: 5,
    last: 2,
    up: false,
  },
  '8d': {
    name: 'ten kills while providers enforce a rate: first message to each of them, the worst',
    unit: 's',
    floor: 15,
    target: 5,
    last: 3,
    up: false,
  },
  '8e': { name: 'the same: missing', unit: '', floor: 0, target: 0, last: 0, up: false },
  '9': { name: 'import rows/s / COPY into the same table', unit: 'x', floor: 0.15, target: 0.4, last: 0.55, up: true },
  '10': {
    name: 'laying out over 5 lists / bare INSERT … SELECT DISTINCT ON',
    unit: 'x',
    floor: 0.5,
    target: 0.8,
    last: 0.95,
    up: true,
  },
  '11': { name: 'POST send, largest list, p95', unit: 'ms', floor: 1000, target: 300, last: 150, up: false },
  '11b': { name: 'first message of the largest send', unit: 's', floor: 60, target: 15, last: 5, up: false },
  '12': { name: 'API p99 while sending / idle', unit: 'x', floor: 20, target: 8, last: 4, up: false },
  '12b': { name: 'API p99 while sending', unit: 'ms', floor: 400, target: 120, last: 40, up: false },
  '12c': {
    name: 'any body / a plain one of the same size, the slowest',
    unit: 'x',
    floor: 15,
    target: 8,
    last: 4,
    up: false,
  },
  '12d': {
    name: 'answers for a known address, off those for an unknown one by',
    unit: 'x',
    floor: 0.1,
    target: 0.05,
    last: 0.02,
    up: false,
  },
  '13': {
    name: 'contact page and search in the largest list, p99',
    unit: 'ms',
    floor: 500,
    target: 50,
    last: 20,
    up: false,
  },
  '14': { name: 'statements per 500 recipients', unit: '', floor: 500, target: 5, last: 4, up: false },
  '15': { name: 'Redis bytes per queued recipient', unit: 'B', floor: 700, target: 5, last: 2, up: false },
  '17': {
    name: 'a provider that enforces R: sustained share of R, the worst',
    unit: 'x',
    floor: 0.7,
    target: 0.8,
    last: 0.9,
    up: true,
  },
  '17b': { name: 'the same: refused, the worst', unit: '%', floor: 10, target: 5, last: 2, up: false },
  '18': { name: 'tenants: last message of a small send, p99', unit: 's', floor: 60, target: 10, last: 5, up: false },
  '18b': {
    name: 'the same: share of the account with a hundred sends, off one share by',
    unit: 'x',
    floor: 0.5,
    target: 0.25,
    last: 0.1,
    up: false,
  },
  '18c': { name: 'the same: slowest confirmation mail', unit: 's', floor: 30, target: 5, last: 2, up: false },
  '19': {
    name: "mail that waits for a rate: PostgreSQL's share of a core",
    unit: '%',
    floor: 5,
    target: 1,
    last: 0.2,
    up: false,
  },
  '20': {
    name: 'delivered and logged with 5 merge tags / without',
    unit: 'x',
    floor: 0.9,
    target: 0.95,
    last: 1,
    up: true,
  },
  '20b': { name: 'the same, signed', unit: 'x', floor: 0.95, target: 0.97, last: 1, up: true },
  '20c': { name: 'the same: further statements per 500', unit: '', floor: 0.5, target: 0.2, last: 0.1, up: false },
  '20d': { name: 'the same: further worker memory, peak', unit: 'MB', floor: 10, target: 3, last: 1, up: false },
  '20e': { name: 'next recipient of the largest list, p95', unit: 'ms', floor: 100, target: 50, last: 20, up: false },
  '20f': {
    name: 'first recipient with an empty tag in the largest list, the slowest',
    unit: 's',
    floor: 3,
    target: 1,
    last: 0.3,
    up: false,
  },
  '20g': {
    name: 'a document of 12 KB / plain text of the same size',
    unit: 'x',
    floor: 0.97,
    target: 0.98,
    last: 1,
    up: true,
  },
  '24': {
    name: '300 KB attached to a send to 1,000 / own renderer and transport alone with the same message',
    unit: 'x',
    floor: 0.8,
    target: 0.9,
    last: 0.95,
    up: true,
  },
  '24b': {
    name: 'further worker memory with 2 MB attached, peak, in encoded sizes of the file',
    unit: 'x',
    floor: 3,
    target: 2,
    last: 1,
    up: false,
  },
  '21': { name: 'save of a large draft, 50 writers, p95', unit: 'ms', floor: 60, target: 40, last: 25, up: false },
  '21b': { name: 'the same, one writer', unit: 'ms', floor: 60, target: 40, last: 25, up: false },
  '21c': { name: 'change of a large template, p95', unit: 'ms', floor: 60, target: 40, last: 25, up: false },
  '21d': { name: 'list of 200 templates, p95', unit: 'ms', floor: 50, target: 25, last: 10, up: false },
  '21e': {
    name: 'POST send of a document of 100 KB, p95, beyond that of plain text',
    unit: 'ms',
    floor: 50,
    target: 30,
    last: 15,
    up: false,
  },
  '22': {
    name: 'API p99 of others while one account attacks / idle',
    unit: 'x',
    floor: 8,
    target: 4,
    last: 2,
    up: false,
  },
  '22b': { name: 'the same: processes that ended', unit: '', floor: 0, target: 0, last: 0, up: false },
  '23': {
    name: 'time of a parser for a hostile text four times as long, the worst kind',
    unit: 'x',
    floor: 8,
    target: 6,
    up: false,
  },
  '23b': {
    name: 'the same: holds the process, the worst kind',
    unit: 'ms',
    floor: 400,
    target: 200,
    last: 60,
    up: false,
  },
  '25': { name: 'forecast of the largest list, p95', unit: 's', floor: 4, target: 2, up: false },
  '25b': { name: 'the same, five overlapping lists', unit: 's', floor: 8, target: 4, up: false },
  '25c': { name: 'check of a document of 100 KB, forecast known, p95', unit: 'ms', floor: 300, target: 150, up: false },
  '26': {
    name: 'API p99 while 500 KB are downloaded 100 times a second / idle',
    unit: 'x',
    floor: 8,
    target: 4,
    up: false,
  },
  '26b': { name: 'the same: downloads that were not counted, or twice', unit: '', floor: 0, target: 0, up: false },
  '26c': { name: 'memory of web for uploads of 10 MB', unit: 'MB', floor: 40, target: 20, up: false },
  '27': { name: 'a test while the largest list is mailed, p95', unit: 's', floor: 10, target: 5, last: 2, up: false },
  '27b': { name: 'rate of that send / the rate without tests', unit: 'x', floor: 0.9, target: 0.97, up: true },
  '11c': {
    name: 'a send of 20 beside the largest: its first message, the slowest',
    unit: 's',
    floor: 10,
    target: 2,
    last: 1,
    up: false,
  },
  'small-behind-large': {
    name: 'a send of 50 behind one of 20,000',
    unit: 's',
    floor: 60,
    target: 60,
    last: 10,
    up: false,
  },
};

export function figure(goal: string, value: number, detail?: string): Figure {
  const { name, unit, floor, target, last, up } = BARS[goal]!;
  const reaches = (bar: number): boolean => (up ? value >= bar : value <= bar);
  const verdict =
    last !== undefined && reaches(last) ? 'last' : reaches(target) ? 'target' : reaches(floor) ? 'floor' : 'short';
  return { goal, name, target: String(target), last: String(last ?? ''), value, unit, verdict, detail };
}

export function info(name: string, value: number, unit: string, detail?: string): Figure {
  return { goal: '', name, target: '', last: '', value, unit, verdict: 'info', detail };
}

export function table(figures: readonly Figure[]): string {
  const text = figures.map((f) => [
    f.goal.replace(/(?<=\d)[a-z]$/, ''),
    f.name,
    f.target,
    f.last,
    `${round(f.value)}${f.unit && ` ${f.unit}`}`,
    f.verdict === 'info' ? '' : f.verdict,
    f.detail ?? '',
  ]);
  const rows = [['#', 'goal', 'target', 'last', 'measured', 'reaches', ''], ...text];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const round = (value: number): string =>
  Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * q) - 1)]!;
