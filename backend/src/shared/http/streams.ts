import { Readable } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';

type Rows<T> = AsyncIterable<T> | Iterable<T>;
type Cell = string | number | boolean | Date | null | undefined;

const CHUNK = 64 * 1024;
const logger = new Logger('Stream');

/**
 * A whole collection as a JSON array, row by row.
 * The handler takes `@Res({ passthrough: true }) res` and returns what this returns.
 */
export function streamJsonArray<T>(res: Response, rows: Rows<T>, { total }: { total?: number } = {}): StreamableFile {
  if (total !== undefined) res.setHeader('X-Total-Count', String(total));
  return stream(jsonText(rows), { type: 'application/json; charset=utf-8' });
}

/**
 * A CSV download, row by row; cells that a spreadsheet would run as formulas are defused.
 * The handler takes `@Res({ passthrough: true }) res` and returns what this returns.
 */
export function streamCsv(_res: Response, filename: string, header: string[], rows: Rows<Cell[]>): StreamableFile {
  const disposition = `attachment; filename="${filename.replace(/[^\w.-]+/g, '_')}"`;
  return stream(csvText(header, rows), { type: 'text/csv; charset=utf-8', disposition });
}

/** One CSV line, RFC 4180, ended. */
export function csvLine(cells: Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = value instanceof Date ? value.toISOString() : value;
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) || safe !== text ? `"${safe.replaceAll('"', '""')}"` : safe;
}

async function* jsonText<T>(rows: Rows<T>): AsyncGenerator<string> {
  let text = '[';
  let first = true;
  for await (const row of rows) {
    text += (first ? '' : ',') + JSON.stringify(row);
    first = false;
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  yield `${text}]`;
}

async function* csvText(header: string[], rows: Rows<Cell[]>): AsyncGenerator<string> {
  let text = csvLine(header);
  for await (const row of rows) {
    text += csvLine(row);
    if (text.length >= CHUNK) {
      yield text;
      text = '';
    }
  }
  if (text) yield text;
}

/** A cut-off stream must not look whole: the connection is dropped once the headers are out. */
function stream(source: AsyncGenerator<string>, options: { type: string; disposition?: string }): StreamableFile {
  const bytes = Readable.from(toBytes(source), { objectMode: true, highWaterMark: 2 });
  return new StreamableFile(bytes, options).setErrorHandler((error, response) => {
    logger.error(error);
    if (response.headersSent) return void (response as unknown as Response).destroy();
    const message = 'Something went wrong on our side. Please try again.';
    response.statusCode = 500;
    const own = response as unknown as Response;
    own.removeHeader('Content-Disposition');
    own.type('json').send(JSON.stringify({ statusCode: 500, code: 'internal_error', message, error: message }));
  });
}

async function* toBytes(source: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const text of source) yield Buffer.from(text);
}
