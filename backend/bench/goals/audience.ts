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
  'plain-lists': more('plain lists: delivered, this version / BENCH_BEFORE', 'x', 0.95, 0.98),
  'plain-rows': more('the same: rows laid out', 'x', 0.95, 0.98),
  audience: more('segments, exclusions, 2,000 rules, cap: preparing / plain lists', 'x', 0.35, 0.5),
  'audience-first': less('the same: first message', 's', 30, 15),
  'audience-accept': less('the same: accepting call, p95', 'ms', 2_000, 1_200),
  rules: more('delivered with 5,000 rules in memory / with none', 'x', 0.97, 0.99),
  'further-columns': more('delivered with 5 merge tags, 3 of further columns / without', 'x', 0.9, 0.95),
  activity: more('delivered while the activity of the send before is written / alone', 'x', 0.9, 0.95),
  'activity-written': less('activity of the largest send written', 's', 300, 120),
  count: less('segment count, 5 rules, p95', 'ms', 1_000, 500),
  estimate: less('the same: estimate alone, p95', 'ms', 300, 120),
  'estimate-error': less('the same: error of the estimate over 10,000 people, 95 %', '%', 6, 4),
  'foreign-rows': less("the same: plans that read another account's rows", '', 0, 0),
  'contact-pages': less('contacts page, search, story, left-out page, p99', 'ms', 200, 50),
  'import-check': more('import, check / COPY into the staging table', 'x', 0.3, 0.5),
  'import-commit': more('import, commit / COPY into profiles and memberships', 'x', 0.2, 0.35),
  xlsx: more('XLSX of 8 columns, reading', 'rows/s', 8_000, 20_000),
  'memory-csv': less('import, worker memory, largest file / 10k, CSV', 'x', 1.25, 1.1),
  'memory-xlsx': less('the same, XLSX', 'x', 1.25, 1.1),
  memory: less('import, worker memory, peak', 'MB', 350, 220),
  'import-api': less('API p99 while an import runs / idle', 'x', 8, 4),
  'activity-api': less('API p99 while activity is written / idle', 'x', 8, 4),
};
