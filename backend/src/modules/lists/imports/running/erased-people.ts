import type { EntityManager } from '@mikro-orm/postgresql';
import type { PoolClient } from 'pg';
import { rows } from '../../../../shared/database/queries/rows.js';
import { type Address, parseAddress } from '../../../../shared/mail/address.js';
import type { ImportRecord } from '../reading/record-source.js';
import { readBlock } from './record-blocks.js';

/** Hashes, in hexadecimal, of the addresses of people who were erased since the import began. */
export async function erasedSince(client: PoolClient, importId: string): Promise<ReadonlySet<string>> {
  const found = await client.query<{ hash: string }>(`${ERASED_IN} $1`, [importId]);
  return new Set(found.rows.map(({ hash }) => hash));
}

/**
 * The first records of an import's file, without those of erased people; its samples are taken from them. The caller
 * holds the lock on the import, so that nobody is erased before the samples are stored.
 */
export async function firstRecords(em: EntityManager, importId: string): Promise<readonly ImportRecord[]> {
  const records = (await readBlock(em, importId, 0)) ?? [];
  const erased = new Set((await rows<{ hash: string }>(em, `${ERASED_IN} ?`, [importId])).map(({ hash }) => hash));
  return records.filter((record) => !isOfErased(record, null, erased));
}

const ERASED_IN = `select encode(address_hash, 'hex') as hash from contact_import_erasures where import_id =`;

/**
 * Whether a record belongs to an erased person: whether its address or one of its cells is that person's address.
 * @param address the judged address, which may differ from the text of the cell (corrected by hand, or taken from a
 * link)
 */
export const isOfErased = ({ cells }: ImportRecord, address: Address | null, erased: ReadonlySet<string>): boolean =>
  erased.size > 0 &&
  ((address !== null && erased.has(address.hash.toString('hex'))) || cells.some((cell) => namesAny(cell, erased)));

const BETWEEN_ADDRESSES = /[\s<>,;:?"()[\]]/;
/** These characters count as quotes around an address; within an address they belong to it. */
const QUOTES = /^['|]+|(?<!['|])['|]+$/g;

const namesAny = (cell: string, erased: ReadonlySet<string>): boolean =>
  cell.includes('@') &&
  cell.split(BETWEEN_ADDRESSES).some((text) => isOneOf(erased, text) || isOneOf(erased, text.replace(QUOTES, '')));

function isOneOf(hashes: ReadonlySet<string>, text: string): boolean {
  const address = parseAddress(text);
  return address !== null && hashes.has(address.hash.toString('hex'));
}
