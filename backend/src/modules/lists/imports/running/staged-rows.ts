import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { EventLoopYielder } from '../../../../shared/lifecycle/event-loop-yielder.js';
import { hostOf } from '../../../../shared/mail/address.js';
import { companyDomain } from '../../../contacts/index.js';
import { storableText } from '../../../../shared/database/queries/storable-text.js';
import { asOneLine } from '../../../../shared/text/one-line.js';
import { judgeRow, type JudgedRow, type JudgingPlan } from '../judging/judge-row.js';
import type { ImportRecord } from '../reading/record-source.js';
import { isOfErased } from './erased-people.js';

/** A column whose values are stored with members of the list, for merge tags. */
export interface AttributeColumn {
  column: number;
  label: string;
}

const MAX_VALUE_LENGTH = 1_000;
const COLUMNS =
  'import_id, line, email, email_norm, email_hash, domain, refused, marks, suggestion, misfits, cells, person';

/** A line's data in the form in which it is staged. `tags` are names; each skill becomes a tag `skill: …`. */
export function personOf(
  { values, address }: JudgedRow,
  cells: readonly string[],
  attributes: readonly AttributeColumn[],
): Record<string, unknown> {
  const tags = [...new Set([...values.tags, ...values.skills.map((skill) => `skill: ${skill}`)])];
  const carried = attributes.flatMap(({ column, label }) => {
    const value = storableText(asOneLine(cells[column] ?? ''), MAX_VALUE_LENGTH);
    return value ? [[label, value] as const] : [];
  });
  // JSON leaves out undefined values.
  return {
    name: values.name ?? undefined,
    first_name: values.firstName ?? undefined,
    last_name: values.lastName ?? undefined,
    company: values.company ?? undefined,
    company_domain: (address && companyDomain(address.norm)) ?? undefined,
    job_title: values.jobTitle ?? undefined,
    phone: values.phone ?? undefined,
    phone_e164: values.phoneE164 ?? undefined,
    city: values.city ?? undefined,
    region: values.region ?? undefined,
    country: values.country ?? undefined,
    time_zone: values.timeZone ?? undefined,
    tags: tags.length > 0 ? tags : undefined,
    note: values.note ?? undefined,
    fields: Object.keys(values.fields).length > 0 ? values.fields : undefined,
    attributes: carried.length > 0 ? Object.fromEntries(carried) : undefined,
  };
}

/** Judges records by their content and copies them into the staging table, within the client's transaction. */
export async function stageRecords(
  client: PoolClient,
  importId: string,
  records: readonly ImportRecord[],
  { plan, attributes }: { plan: JudgingPlan; attributes: readonly AttributeColumn[] },
  erased: ReadonlySet<string>,
): Promise<void> {
  await pipeline(
    Readable.from(copyText(importId, records, plan, attributes, erased)),
    client.query(copyFrom(`copy contact_import_rows (${COLUMNS}) from stdin`)),
  );
}

async function* copyText(
  importId: string,
  records: readonly ImportRecord[],
  plan: JudgingPlan,
  attributes: readonly AttributeColumn[],
  erased: ReadonlySet<string>,
): AsyncGenerator<string> {
  let text = '';
  const yielder = new EventLoopYielder();
  for (const record of records) {
    const row = judgeRow(record, plan);
    if (isOfErased(record, row.address, erased)) continue;
    text += `${copyRow(importId, row, record.cells, attributes)}\n`;
    if (text.length > 65_536) {
      yield text;
      text = '';
    }
    if (yielder.isDue()) await yielder.yieldNow();
  }
  if (text) yield text;
}

function copyRow(
  importId: string,
  row: JudgedRow,
  cells: readonly string[],
  attributes: readonly AttributeColumn[],
): string {
  const { line, email, address, refused, marks, suggestion, misfits } = row;
  return [
    importId,
    String(line),
    address?.address ?? email,
    address?.norm ?? null,
    address ? `\\x${address.hash.toString('hex')}` : null,
    address ? hostOf(address.norm) : null,
    refused,
    arrayText(marks),
    suggestion,
    arrayText(misfits),
    JSON.stringify(cells),
    JSON.stringify(personOf(row, cells, attributes)),
  ]
    .map(copyCell)
    .join('\t');
}

/** PostgreSQL array literal of texts. */
export const arrayText = (values: readonly string[]): string =>
  values.length === 0 ? '{}' : `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };
const NEEDS_ESCAPE = /[\\\t\n\r]/;
/** Escapes a cell for COPY's text format. */
const copyCell = (value: string | null): string =>
  value === null ? '\\N' : NEEDS_ESCAPE.test(value) ? value.replace(/[\\\t\n\r]/g, (char) => ESCAPES[char]!) : value;
