import type { Bar } from './goals.js';

const more = (name: string, unit: string, floor: number, target: number): Bar => ({
  name,
  unit,
  floor,
  target,
  up: true,
});
const less = (name: string, unit: string, floor: number, target: number): Bar => ({
  name,
  unit,
  floor,
  target,
  up: false,
});

/** Goals of the scenarios `audience` and `import`. */
export const AUDIENCE_BARS: Record<string, Bar> = {
  N1: more('plain lists: delivered, this version / BENCH_BEFORE', 'x', 0.95, 0.98),
  N1b: more('the same: rows laid out', 'x', 0.95, 0.98),
  N2: more('segments, exclusions, 2,000 rules, cap: preparing / plain lists', 'x', 0.35, 0.5),
  N2b: less('the same: first message', 's', 30, 15),
  N2c: less('the same: accepting call, p95', 'ms', 2_000, 1_200),
  N3: more('delivered with 5,000 rules in memory / with none', 'x', 0.97, 0.99),
  N3b: more('delivered with 5 merge tags, 3 of further columns / without', 'x', 0.9, 0.95),
  N4: more('delivered while the activity of the send before is written / alone', 'x', 0.9, 0.95),
  N4b: less('activity of the largest send written', 's', 300, 120),
  N6: less('segment count, 5 rules, p95', 'ms', 1_000, 500),
  N6b: less('the same: estimate alone, p95', 'ms', 300, 120),
  N6c: less('the same: error of the estimate over 10,000 people, 95 %', '%', 6, 4),
  N6d: less("the same: plans that read another account's rows", '', 0, 0),
  N7: less('contacts page, search, story, left-out page, p99', 'ms', 200, 50),
  N8: more('import, check / COPY into the staging table', 'x', 0.3, 0.5),
  N8b: more('import, commit / COPY into profiles and memberships', 'x', 0.2, 0.35),
  N9: more('XLSX of 8 columns, reading', 'rows/s', 8_000, 20_000),
  N9b: less('import, worker memory, largest file / 10k, CSV', 'x', 1.25, 1.1),
  N9c: less('the same, XLSX', 'x', 1.25, 1.1),
  N9d: less('import, worker memory, peak', 'MB', 350, 220),
  N11: less('API p99 while an import runs / idle', 'x', 8, 4),
  N11b: less('API p99 while activity is written / idle', 'x', 8, 4),
};
