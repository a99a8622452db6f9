import { Readable } from 'node:stream';
import { Logger, StreamableFile } from '@nestjs/common';
import { stringify } from 'csv-stringify/sync';
import type { Response } from 'express';
import pLimit from 'p-limit';

type Rows<T> = AsyncIterable<T> | Iterable<T>;
type Cell = string | number | boolean | Date | null | undefined;

const CHUNK = 64 * 1024;
const CSV_RECORDS = 500;
/** Whole collections of which a part is read at the same moment: a hundred downloads take turns, and leave room for those who want a page. */
const turns = pLimit(3);
/** A part that takes longer (a slow query) goes on beside the turns: three of them would keep all the others waiting. */
const TURN_MS = 2_000;
const logger = new Logger('Stream');

/** A whole collection as a JSON array, row by row. */
export function streamJsonArray<T>(rows: Rows<T>): StreamableFile {
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

/** CSV lines, RFC 4180, ended; what a spreadsheet would run as a formula is text with an apostrophe before it. */
export function csvLines(records: Cell[][]): string {
  return stringify(records, {
    record_delimiter: 'windows',
    escape_formulas: true,
    quoted_match: /^[=+\-@\t']|[\r\n]/,
    cast: { boolean: String, date: (value) => value.toISOString() },
  });
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
  let records: Cell[][] = [header];
  for await (const row of rows) {
    if (records.push(row) < CSV_RECORDS) continue;
    yield csvLines(records);
    records = [];
  }
  if (records.length > 0) yield csvLines(records);
}

function stream(source: AsyncGenerator<string>, options: { type: string; disposition?: string }): StreamableFile {
  const bytes: Readable = Readable.from(toBytes(source, () => bytes.destroyed), { objectMode: true, highWaterMark: 2 });
  return streamBytes(bytes, options);
}

/** An answer that is made while it is read. A cut-off one must not look whole: the connection is dropped once the headers are out. */
export function streamBytes(bytes: Readable, options: { type: string; disposition?: string }): StreamableFile {
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

/** A turn lasts while a part is made, never while its reader takes it; a reader that has gone while it waited needs none. */
async function* toBytes(source: AsyncGenerator<string>, isGone: () => boolean): AsyncGenerator<Buffer> {
  try {
    for (;;) {
      const part = await inTurn(async () => (isGone() ? undefined : source.next()));
      if (!part || part.done) return;
      yield Buffer.from(part.value);
    }
  } finally {
    await source.return(undefined);
  }
}

function inTurn<T>(make: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    void turns(() => new Promise<void>((over) => {
      const timer = setTimeout(over, TURN_MS).unref();
      make().then(resolve, reject).finally(() => {
        clearTimeout(timer);
        over();
      });
    }));
  });
}
