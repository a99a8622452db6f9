import type { Request } from 'express';
import multer from 'multer';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import pLimit from 'p-limit';
import { AppError } from '../../../../shared/errors/app-error.js';
import { importEmpty, importTooLarge } from '../../lists.errors.js';
import { rows } from '../../../../shared/database/queries/rows.js';
import { storableText } from '../../../../shared/database/queries/storable-text.js';
import { asOneLine } from '../../../../shared/text/one-line.js';

const MAX_FILE_NAME = 255;

/** Parses a multipart form: streams the part `file` and returns the field `attestation` and the file's name. */
export async function readUpload(
  request: Request,
  write: (content: Readable) => Promise<void>,
  maxBytes: number,
): Promise<{ attestation: string | null; fileName: string }> {
  let isRead = false;
  let fileName = '';
  const upload = multer({
    storage: {
      _handleFile: (_request, file, done) => {
        isRead = true;
        fileName = nameOf(file.originalname);
        write(file.stream).then(
          () => done(null, {}),
          (error: unknown) => {
            file.stream.resume();
            done(error);
          },
        );
      },
      _removeFile: (_request, _file, done) => done(null),
    },
    limits: { files: 1, fields: 10, parts: 12, fieldSize: 20_000, fileSize: maxBytes },
  }).single('file');
  await new Promise<void>((resolve, reject) => {
    upload(request, {} as never, (error?: unknown) => (error ? reject(asApiError(error)) : resolve()));
  });
  if (!isRead) throw importEmpty();
  const { attestation } = (request.body ?? {}) as Record<string, unknown>;
  return { attestation: typeof attestation === 'string' ? attestation.replace(/\0/g, '') : null, fileName };
}

/** Decodes a file name, which browsers send in UTF-8 and the form's parser reads as Latin-1. */
function nameOf(given: string): string {
  const decoded = Buffer.from(given, 'latin1').toString('utf8');
  const name = decoded.includes('\uFFFD') ? given : decoded;
  return storableText(asOneLine(name.split(/[\\/]/).at(-1) ?? ''), MAX_FILE_NAME);
}

function asApiError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if ((error as { code?: string }).code === 'LIMIT_FILE_SIZE') return importTooLarge();
  if (error instanceof multer.MulterError || error instanceof Error)
    return new AppError('bad_request', 400, 'The form could not be read: send one part named file');
  return error;
}

/** Longest pause after a chunk, in milliseconds. */
const MAX_PAUSE_MS = 250;
/** Each process stores one chunk at a time. */
const oneAtATime = pLimit(1);

/**
 * Stores a chunk of an upload, then pauses all uploads of this process for the time that the storing took, at most
 * MAX_PAUSE_MS, so that about half of the time is left to other calls.
 */
export async function storePiece(
  em: EntityManager,
  importId: string,
  position: number,
  content: Buffer,
): Promise<void> {
  await oneAtATime(async () => {
    const start = performance.now();
    await rows(em, STORE, [importId, position, content]);
    await pause(Math.min(performance.now() - start, MAX_PAUSE_MS));
  });
}

/**
 * Stores a chunk without waiting for the WAL flush. The statement that completes the upload flushes the WAL, and with
 * it every earlier chunk.
 */
const STORE = `
  insert into contact_import_chunks (import_id, position, content)
  select ?::uuid, ?::int, ?::bytea where set_config('synchronous_commit', 'off', true) is not null`;
