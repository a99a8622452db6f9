import { AUDIENCE_BARS } from './audience.js';
import { COMPOSING_BARS } from './composing.js';
import { SENDING_BARS } from './sending.js';

/** A measured value with its goal. */
export interface Figure {
  goal: string;
  name: string;
  target: string;
  last: string;
  value: number;
  unit: string;
  /**
   * The highest bar that the value reaches: `floor`, `target` or `last`, the most ambitious one. `short` means that it
   * misses the floor, `info` that there is no goal.
   */
  verdict: 'last' | 'target' | 'floor' | 'short' | 'info';
  detail?: string;
}

export interface Bar {
  name: string;
  unit: string;
  floor: number;
  target: number;
  /** The most ambitious bar; absent if there is none beyond the target. */
  last?: number;
  /** Whether higher values are better. */
  up: boolean;
}

const BARS: Record<string, Bar> = { ...AUDIENCE_BARS, ...COMPOSING_BARS, ...SENDING_BARS };

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
