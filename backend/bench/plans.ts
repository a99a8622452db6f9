import { existsSync, openSync, readSync, closeSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort, ProductProcess } from './processes.js';
import type { World } from './world.js';

/** A statement that the server ran, with its duration in ms and its plan. */
export interface Explained {
  text: string;
  /** The statement with its values inserted, so that it can be run again. */
  whole: string;
  ms: number;
  plan: PlanNode;
}

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: PlanNode[];
}

/**
 * Runs `work` against a separate web process whose statements PostgreSQL logs with their plans (auto_explain).
 * @param isAnalyzed whether plans contain the rows and buffers of each node, which slows the statements down
 * @returns the statements; null if the server's log is not on this machine
 */
export async function explained(
  world: World,
  isAnalyzed: boolean,
  work: (origin: string) => Promise<void>,
): Promise<Explained[] | null> {
  const log = await logOf(world);
  if (!log) return null;
  const { rows } = await world.db.query<{ name: string }>('select current_database() as name');
  const alter = `alter database "${rows[0]!.name}"`;
  for (const setting of [
    `session_preload_libraries = 'auto_explain'`,
    `auto_explain.log_min_duration = 0`,
    `auto_explain.log_format = json`,
    `auto_explain.log_parameter_max_length = -1`,
    `auto_explain.log_analyze = ${isAnalyzed ? 'on' : 'off'}`,
    `auto_explain.log_buffers = ${isAnalyzed ? 'on' : 'off'}`,
  ])
    await world.db.query(`${alter} set ${setting}`);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const web = await ProductProcess.start('web', { ...world.env, PORT: String(port), APP_URL: origin });
  const from = statSync(log).size;
  try {
    await work(origin);
  } finally {
    await web.stop();
    await world.db.query(`${alter} reset all`);
  }
  return entriesIn(textFrom(log, from));
}

async function logOf(world: World): Promise<string | null> {
  const { rows } = await world.db.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
  const log = join(dirname(dirname(rows[0]!.dir)), 'logs', 'postgres.log');
  return existsSync(log) ? log : null;
}

function textFrom(file: string, from: number): string {
  const size = statSync(file).size - from;
  const bytes = Buffer.alloc(Math.max(0, size));
  const log = openSync(file, 'r');
  readSync(log, bytes, 0, bytes.length, from);
  closeSync(log);
  return bytes.toString();
}

/** Parses the server's log: a line with the duration, then indented JSON. */
function entriesIn(log: string): Explained[] {
  const found: Explained[] = [];
  for (const part of log.split(/LOG: {2}duration: /).slice(1)) {
    const [, ms, json] = /^([\d.]+) ms {2}plan:\n([\s\S]*?\n\t\})/.exec(part) ?? [];
    if (!json) continue;
    const entry = JSON.parse(json) as { 'Query Text': string; 'Query Parameters'?: string; Plan: PlanNode };
    const text = entry['Query Text'];
    found.push({ text, whole: written(text, entry['Query Parameters'] ?? ''), ms: Number(ms), plan: entry.Plan });
  }
  return found;
}

/** Inserts the values into a statement. The log lists them as `$1 = 'text', $2 = NULL`. */
function written(text: string, parameters: string): string {
  const values = new Map(
    [...parameters.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)].map(([, at, value]) => [Number(at), value!]),
  );
  return text.replace(/\$(\d+)/g, (all, at) => values.get(Number(at)) ?? all);
}

const TABLES: ReadonlySet<string> = new Set(['contact_profiles', 'subscriptions', 'contact_activity']);
/** Columns that restrict a scan to rows of one account. */
const OWN = /\b(owner_id|email_list_id|profile_id|tag_ids|id)\b/;

/**
 * The scans of a plan that may read rows of other accounts: scans of whole tables, and of indexes without a column of
 * the account.
 */
export function foreignScans(node: PlanNode): string[] {
  const below = node.Plans ?? [];
  const table = node['Relation Name'];
  const isScan = table !== undefined && TABLES.has(table) && node['Node Type'] !== 'ModifyTable';
  const conditions = node['Node Type'] === 'Bitmap Heap Scan' ? below.flatMap(indexConditions) : [node['Index Cond']];
  const isForeign = isScan && !conditions.some((condition) => condition && OWN.test(condition));
  return [...(isForeign ? [`${node['Node Type']} on ${table}`] : []), ...below.flatMap(foreignScans)];
}

const indexConditions = (node: PlanNode): (string | undefined)[] => [
  node['Index Cond'],
  ...(node.Plans ?? []).flatMap(indexConditions),
];
