import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { UTC_TODAY } from '../../../shared/database/utc-day.js';
import { type Address, parseAddress } from '../../../shared/mail/address.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import type { ImportCheckpoint } from '../entities/contact-import.entity.js';
import type { RejectReason } from '../entities/contact-import-reject.entity.js';
import type { ImportedContact } from '../import-columns.js';
import { ADD_TO_USAGE } from '../import-quota.service.js';
import { KEEPS_OFF_LIST } from '../suppression-sql.js';

/** One line of the file, read. */
export interface ImportLine extends ImportedContact {
  line: number;
}

/** What a batch belongs to: the import's row as it was claimed. */
export interface ImportRun {
  id: string;
  email_list_id: string;
  user_id: string;
  owner_id: string | null;
  subscription_type: string;
  attestation: string | null;
  /** Contacts that the owner's plan holds; null: any number. */
  contactLimit: number | null;
}

/** Where the run stands after a batch. */
export interface BatchEnd {
  /** Records read before this batch; another worker's progress makes it differ, and then this batch is undone. */
  before: number;
  /** Null at the end of the file. */
  checkpoint: ImportCheckpoint | null;
}

interface Rejected {
  line: number;
  email: string;
  reason: RejectReason;
}

/** Rejected lines that are stored, of an import and of all an account's imports of a day; beyond, they are counted only. */
const MAX_REJECTS = 10_000;
const MAX_REJECTS_A_DAY = 50_000;

/** The import went on elsewhere, or its list is gone: this worker stops. */
export class ImportTaken extends Error {}

/** Puts a batch of lines in, with its rejects and its progress, all or nothing: a run that dies goes on after the last batch. */
export async function putBatch(client: PoolClient, run: ImportRun, lines: ImportLine[], end: BatchEnd): Promise<void> {
  const { candidates, rejected } = sift(lines);
  await client.query('begin');
  try {
    const room = await roomForRejects(client, run);
    const listed = await reject(client, run, rejected.slice(0, room));
    const put = candidates.length > 0 ? await insert(client, run, candidates, room - listed) : { added: 0, listed: 0 };
    const left = lines.length - put.added;
    const { rowCount } = await client.query(
      `update contact_imports set total = total + $2::int, added = added + $3::int, skipped = skipped + $4::int, rejects_unlisted = rejects_unlisted + $5::int,
              bytes_done = least(coalesce($6::bigint, bytes_total), bytes_total)::int, checkpoint = $7::jsonb, attempts = 0, lease_until = now() + interval '60 seconds'
       where id = $1 and status = 'running' and total = $8`,
      [run.id, lines.length, put.added, left, left - listed - put.listed, end.checkpoint?.offset ?? null, end.checkpoint && JSON.stringify(end.checkpoint), end.before],
    );
    if (rowCount !== 1) throw new ImportTaken();
    await client.query(COUNT_REJECTS, [run.user_id, listed + put.listed]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** How many of these lines hold an address. */
export const addressesIn = (lines: readonly ImportLine[]): number => lines.reduce((sum, { email }) => sum + (parseAddress(email) ? 1 : 0), 0);

interface Candidate extends ImportLine {
  address: Address;
}

/** What needs no database: lines without an address, and addresses that stood above in the same batch. */
function sift(lines: ImportLine[]): { candidates: Candidate[]; rejected: Rejected[] } {
  const seen = new Set<string>();
  const candidates: Candidate[] = [];
  const rejected: Rejected[] = [];
  for (const entry of lines) {
    const address = parseAddress(entry.email);
    if (address && !seen.has(address.norm)) {
      seen.add(address.norm);
      candidates.push({ ...entry, address });
    } else rejected.push({ line: entry.line, email: entry.email, reason: address ? 'duplicate' : 'invalid' });
  }
  return { candidates, rejected };
}

async function insert(client: PoolClient, run: ImportRun, candidates: Candidate[], rejectRoom: number): Promise<{ added: number; listed: number }> {
  await client.query(STAGING);
  await pipeline(Readable.from(copyRows(candidates)), client.query(copyFrom('copy import_lines from stdin')));
  const room = await roomFor(client, run);
  const { rows } = await client.query<{ added: number; listed: number }>(INSERT, [
    run.id, run.email_list_id, run.owner_id, run.subscription_type, run.attestation ? 'held' : 'due', run.owner_id ? 'import' : 'admin', room, rejectRoom,
  ]);
  return rows[0]!;
}

/** Contacts that still fit into the plan; accounts take turns, so that two at once never pass the limit. */
async function roomFor(client: PoolClient, { contactLimit, owner_id }: ImportRun): Promise<number | null> {
  if (contactLimit === null || owner_id === null) return null;
  await client.query(`select pg_advisory_xact_lock(hashtextextended('lists.plan:' || $1, 0))`, [owner_id]);
  const { rows } = await client.query<{ contacts: number }>('select coalesce(sum(contact_count), 0)::int as contacts from email_lists where owner_id = $1', [owner_id]);
  return Math.max(0, contactLimit - (rows[0]?.contacts ?? 0));
}

/** How many more rejects of this import may be stored. */
async function roomForRejects(client: PoolClient, run: ImportRun): Promise<number> {
  const { rows } = await client.query<{ room: number }>(
    `select least($2 - (i.skipped - i.rejects_unlisted), $3 - coalesce((select u.rejects from import_usage u where u.user_id = i.user_id and u.day = ${UTC_TODAY}), 0)) as room
     from contact_imports i where i.id = $1`,
    [run.id, MAX_REJECTS, MAX_REJECTS_A_DAY],
  );
  return Math.max(0, rows[0]?.room ?? 0);
}

const COUNT_REJECTS = `insert into import_usage as u (user_id, day, rejects) values ($1, ${UTC_TODAY}, $2::int) ${ADD_TO_USAGE}`;

/** @returns how many were stored */
async function reject(client: PoolClient, run: ImportRun, rejected: Rejected[]): Promise<number> {
  if (rejected.length === 0) return 0;
  const { rowCount } = await client.query(
    `insert into contact_import_rejects (import_id, line, email, reason)
     select $1, r.line, r.email, r.reason from jsonb_to_recordset($2::jsonb) as r (line int, email text, reason text) on conflict do nothing`,
    [run.id, JSON.stringify(rejected)],
  );
  return rowCount ?? 0;
}

const STAGING = `create temp table if not exists import_lines
  (line int, email text, email_norm text, email_hash bytea, name text, attributes jsonb, token text) on commit delete rows`;

/** COPY's text format. */
function* copyRows(candidates: Candidate[]): Generator<string> {
  let text = '';
  for (const { line, address, name, attributes } of candidates) {
    const cells = [String(line), address.address, address.norm, `\\x${address.hash.toString('hex')}`, name, attributes && JSON.stringify(attributes), mintToken()];
    text += `${cells.map(copyCell).join('\t')}\n`;
    if (text.length > 65_536) {
      yield text;
      text = '';
    }
  }
  if (text) yield text;
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const copyCell = (value: string | null): string => (value === null ? '\\N' : value.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!));

/** KEEPS_OFF_LIST in this statement's numbered parameters. */
const keptOff = KEEPS_OFF_LIST.replace('?::uuid', '$3::uuid').replace('?::uuid', '$3::uuid');

/**
 * Classes and inserts a batch in one statement. A contact that this same import brought is a duplicate in the file, any other one
 * exists; what the plan has no room for is told apart only among those that would have gone in.
 */
const INSERT = `
  with judged as (
    select i.*, c.import_id as there_by, c.id is not null as there,
           exists (select 1 from suppressions s where s.address_hash = i.email_hash and ${keptOff}) or coalesce(c.suppressed in ('unsubscribed', 'complained'), false) as kept_off
    from import_lines i left join subscriptions c on c.email_list_id = $2 and c.email_norm = i.email_norm
  ), ranked as (
    select j.*, row_number() over (partition by (j.there or j.kept_off) order by j.line) as place from judged j
  ), added as (
    insert into subscriptions (email, email_norm, email_hash, name, attributes, subscription_type, unsubscribe_token, email_list_id, source, opt_in_state, import_id)
    select r.email, r.email_norm, r.email_hash, r.name, r.attributes, $4, r.token, $2, $6, $5, $1
    from ranked r where not r.there and not r.kept_off and ($7::int is null or r.place <= $7::int)
    on conflict (email_list_id, email_norm) do nothing
    returning email_norm
  ), rejected as (
    insert into contact_import_rejects (import_id, line, email, reason)
    select $1, r.line, r.email,
           case when r.there and r.there_by is not distinct from $1 then 'duplicate' when r.kept_off then 'suppressed' when r.there then 'exists'
                when $7::int is not null and r.place > $7::int then 'limit' else 'exists' end
    from ranked r where not exists (select 1 from added a where a.email_norm = r.email_norm)
    order by r.line limit $8
    on conflict do nothing returning line
  )
  select (select count(*) from added)::int as added, (select count(*) from rejected)::int as listed`;
