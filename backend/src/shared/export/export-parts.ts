import { Global, Injectable, Module } from '@nestjs/common';
import { csvLines } from '../http/streams.js';

/** A cell of an exported table. */
export type ExportCell = string | number | boolean | Date | null | undefined;

/** One file of an account's export: a document, or a table written row by row. Rows are read in pages, never all at once. */
export type ExportPart =
  | { file: `${string}.json`; document: (userId: string) => Promise<unknown> }
  | { file: `${string}.csv`; header: string[]; rows: (userId: string) => AsyncIterable<ExportCell[]> };

const ROWS_AT_ONCE = 500;

/** What the download of an account's own data holds: each module adds its part when it starts, auth reads them all. */
@Injectable()
export class ExportParts {
  private readonly parts = new Map<string, ExportPart>();

  add(...parts: ExportPart[]): void {
    for (const part of parts) this.parts.set(part.file, part);
  }

  /** The files in the order of their names, each with its text for one account. */
  filesOf(userId: string): { file: string; text: () => AsyncGenerator<string> }[] {
    const parts = [...this.parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
    return parts.map((part) => ({ file: part.file, text: () => textOf(part, userId) }));
  }
}

async function* textOf(part: ExportPart, userId: string): AsyncGenerator<string> {
  if ('document' in part) return yield `${JSON.stringify(await part.document(userId), null, 2)}\n`;
  let records: ExportCell[][] = [part.header];
  for await (const row of part.rows(userId)) {
    if (records.push(row) < ROWS_AT_ONCE) continue;
    yield csvLines(records);
    records = [];
  }
  if (records.length > 0) yield csvLines(records);
}

@Global()
@Module({ providers: [ExportParts], exports: [ExportParts] })
export class ExportModule {}
