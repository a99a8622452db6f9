import type { Readable } from 'node:stream';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Global, Injectable, Module } from '@nestjs/common';
import type { Address } from './mail/address.js';
import { csvLines } from './http/responses/streams.js';
import { rows, type SqlPart } from './database/queries/rows.js';
import { NIL_UUID } from './text/formats.js';

/**
 * Personal data of one module about somebody who is not a user: a contact, a recipient, an invitee. Found by mail
 * address.
 */
export abstract class DataSubjectSource {
  /** Returns everything that the module holds about the person, as plain objects under readable names. */
  abstract export(em: EntityManager, address: Address): Promise<Record<string, object[]>>;

  /**
   * Deletes or anonymises the data within the caller's transaction. Suppressions stay, as hashes.
   * @returns number of affected rows
   */
  abstract erase(em: EntityManager, address: Address): Promise<number>;
}

/** Selects rows of an account that are deleted in batches before the account's own row. */
export interface ErasureRule {
  /**
   * Order of deletion: `details` before `parents`, because deleting a parent would cascade to all its details in one
   * statement.
   */
  step: 'details' | 'parents';
  table: string;
  /** SQL condition on the table, aliased `t`, with one `?` for the account's id. */
  where: string;
  /** Rows per DELETE statement. */
  batch: number;
}

/**
 * Registry of large tables whose rows are deleted in batches when an account is deleted. Each module registers its
 * tables at start; auth deletes the rows.
 */
@Injectable()
export class ErasureRules {
  private readonly rules: ErasureRule[] = [];

  add(...rules: ErasureRule[]): void {
    this.rules.push(...rules);
  }

  inOrder(): ErasureRule[] {
    return (['details', 'parents'] as const).flatMap((step) => this.rules.filter((rule) => rule.step === step));
  }
}

@Global()
@Module({ providers: [ErasureRules], exports: [ErasureRules] })
export class ErasureModule {}

/** A cell of an exported table. */
export type ExportCell = string | number | boolean | Date | null | undefined;

/** An uploaded file within an export. */
export interface ExportedFile {
  name: string;
  /** Opens the file; null if its bytes no longer exist. */
  open: () => Promise<Readable | null>;
}

/**
 * One file of an account's data export: a JSON document, or a CSV table that is read page by page and written row by
 * row.
 */
export type ExportPart =
  | { file: `${string}.json`; document: (userId: string) => Promise<unknown> }
  | { file: `${string}.csv`; header: string[]; rows: (userId: string) => AsyncIterable<ExportCell[]> };

const ROWS_PER_STATEMENT = 500;

/**
 * Reads the cells of an exported table, part by part.
 * @param part statement that selects `id` and `cells` of the rows after an id, ordered by id; the id is its last
 * parameter
 * @param limit the statement's limit: the maximum number of rows of a part
 * @param places how many parameters at the end of the statement are the id
 */
export async function* exportedCells(
  em: EntityManager,
  { sql, params }: SqlPart,
  { limit, first = NIL_UUID, places = 1 }: { limit: number; first?: string; places?: number },
): AsyncGenerator<ExportCell[]> {
  for (let after = first; ;) {
    const found = await rows<{ id: string; cells: ExportCell[] }>(em.fork(), sql, [
      ...params,
      ...Array<string>(places).fill(after),
    ]);
    for (const { cells } of found) yield cells;
    if (found.length < limit) return;
    after = found.at(-1)!.id;
  }
}

/** A folder of the export, with files that the account uploaded. */
export interface ExportFolder {
  folder: string;
  files: (userId: string) => Promise<ExportedFile[]>;
}

/** Registry of the files in an account's data export. Each module registers its files at start; auth writes them. */
@Injectable()
export class ExportParts {
  private readonly parts = new Map<string, ExportPart>();
  private readonly folders: ExportFolder[] = [];

  add(...parts: ExportPart[]): void {
    for (const part of parts) this.parts.set(part.file, part);
  }

  addFolder(folder: ExportFolder): void {
    this.folders.push(folder);
  }

  /** All uploaded files of an account. Their names include the folder. */
  async uploadsOf(userId: string): Promise<ExportedFile[]> {
    const all: ExportedFile[] = [];
    for (const { folder, files } of this.folders)
      for (const { name, open } of await files(userId)) all.push({ name: `${folder}/${name}`, open });
    return all;
  }

  /** All files of an export in the order of their names, with their content for one account. */
  filesOf(userId: string): { file: string; text: () => AsyncGenerator<string> }[] {
    const parts = [...this.parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
    return parts.map((part) => ({ file: part.file, text: () => textOf(part, userId) }));
  }
}

async function* textOf(part: ExportPart, userId: string): AsyncGenerator<string> {
  if ('document' in part) return yield `${JSON.stringify(await part.document(userId), null, 2)}\n`;
  let records: ExportCell[][] = [part.header];
  for await (const row of part.rows(userId)) {
    if (records.push(row) < ROWS_PER_STATEMENT) continue;
    yield csvLines(records);
    records = [];
  }
  if (records.length > 0) yield csvLines(records);
}

@Global()
@Module({ providers: [ExportParts], exports: [ExportParts] })
export class ExportModule {}
