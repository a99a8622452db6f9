/** A row of the report: a measured value and its target. */
export interface Row {
  what: string;
  measured: string;
  target: string;
  /** Whether the target is met; absent for a value without a target. */
  met?: boolean;
}

export const ms = (value: number): string => (value < 10 ? `${value.toFixed(1)} ms` : `${Math.round(value)} ms`);
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const quantile = (values: readonly number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(values.length * q) - 1)] ?? 0;
export const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Slope of y over x by least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const [x, y] = [0, 1].map((at) => sum(points.map((point) => point[at]!)) / points.length);
  return (
    sum(points.map((point) => (point[0] - x!) * (point[1] - y!))) / sum(points.map((point) => (point[0] - x!) ** 2))
  );
}

/** The rows as a table with aligned columns. */
export function table(rows: readonly Row[]): string {
  const cells = [
    ['', 'what', 'measured', 'target'],
    ...rows.map(({ what, measured, target, met }) => [
      met === undefined ? '-' : met ? 'met' : 'MISSED',
      what,
      measured,
      target,
    ]),
  ];
  const widths = cells[0]!.map((_head, column) => Math.max(...cells.map((line) => line[column]!.length)));
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
