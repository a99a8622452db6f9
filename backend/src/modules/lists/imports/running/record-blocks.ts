import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { ImportRecord } from '../reading/record-source.js';

const pack = promisify(deflate);
const unpack = promisify(inflate);
/** Compression level: the fastest, because the records of a file are short and similar. */
const LEVEL = 1;

/** Maximum number of records in a block; a batch of a check holds the lines of one block in memory. */
const BLOCK_RECORDS = 5_000;
const BLOCK_LENGTH = 4 * 1024 * 1024;

/** Collects records into blocks. */
export class BlockBuilder {
  private records: ImportRecord[] = [];
  private length = 0;

  /** Adds a record. @returns the block once it is full */
  add(record: ImportRecord): ImportRecord[] | null {
    this.records.push(record);
    for (const cell of record.cells) this.length += cell.length;
    return this.records.length >= BLOCK_RECORDS || this.length >= BLOCK_LENGTH ? this.take() : null;
  }

  /** Returns the records collected so far, and starts the next block. */
  take(): ImportRecord[] {
    const { records } = this;
    this.records = [];
    this.length = 0;
    return records;
  }
}

/** Stores a block within the caller's transaction. */
export async function writeBlock(
  em: EntityManager,
  importId: string,
  position: number,
  records: readonly ImportRecord[],
): Promise<void> {
  const packed = await pack(
    JSON.stringify(records.map(({ line, cells, refused }) => [line, cells, ...(refused ? [refused] : [])])),
    { level: LEVEL },
  );
  await rows(em, `insert into contact_import_records (import_id, position, content) values (?, ?, ?)`, [
    importId,
    position,
    packed,
  ]);
}

/** Reads a block. @returns null after the last block, or if a crash emptied the unlogged table */
export async function readBlock(em: EntityManager, importId: string, position: number): Promise<ImportRecord[] | null> {
  const [found] = await rows<{ content: Buffer }>(
    em,
    `select content from contact_import_records where import_id = ? and position = ?`,
    [importId, position],
  );
  if (!found) return null;
  const records = JSON.parse((await unpack(found.content)).toString()) as [
    number,
    string[],
    ImportRecord['refused']?,
  ][];
  return records.map(([line, cells, refused]) => ({ line, cells, ...(refused && { refused }) }));
}

/** Whether any record of the import is stored. */
export async function hasRecords(em: EntityManager, importId: string): Promise<boolean> {
  const found = await rows(em, `select 1 from contact_import_records where import_id = ? limit 1`, [importId]);
  return found.length > 0;
}
