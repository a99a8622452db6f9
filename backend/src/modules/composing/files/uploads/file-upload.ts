import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import multer from 'multer';
import { AccountConcurrency } from '../../../../shared/http/index.js';
import { fileTooLarge, fileKindUnknown, fileMissing } from '../../composing.errors.js';
import { uploadedName } from './file-name.js';
import { FILE_KINDS, type FileKind } from '../stored-file.entity.js';
import { MB } from '../../../../shared/text/bytes.js';

/** Maximum number of bytes of a form without its file. */
const FORM_BYTES = 16 * 1024;

/** An uploaded file in a temporary folder. */
export interface UploadedFile {
  kind: FileKind;
  name: string;
  path: string;
  byteSize: number;
  sha256: Buffer;
}

/**
 * Limits the number of uploads that this process reads at a time, because each upload takes space in the temporary
 * folder, which may be in memory. A slow upload delays only uploads of its own account.
 */
const uploads = new AccountConcurrency({ concurrent: 6, perAccount: 2, mostWaiting: 20, longMs: 10_000 });

/**
 * Streams the file of a form to a temporary file, which is removed after `use`.
 * @param maxMb maximum size of the file in megabytes
 * @throws 400 for any other form, 413 for a larger file, 429 if too many uploads of the account wait
 */
export async function withUpload<T>(
  request: Request,
  accountId: string,
  maxMb: number,
  use: (file: UploadedFile) => Promise<T>,
): Promise<T> {
  if (!request.is('multipart/form-data')) throw fileMissing();
  if (Number(request.get('content-length')) > maxMb * MB + FORM_BYTES) throw fileTooLarge(maxMb);
  uploads.assertRoom(accountId, 'uploads');
  return uploads.take(accountId, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'staffcast-upload-'));
    try {
      return await use(await readForm(request, join(folder, 'file'), maxMb));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function readForm(request: Request, path: string, maxMb: number): Promise<UploadedFile> {
  let file: Omit<UploadedFile, 'kind'> | undefined;
  let writing: Promise<void> | undefined;
  const form = multer({
    storage: {
      _handleFile: (_request, { originalname, stream }, done) => {
        const hash = createHash('sha256');
        let byteSize = 0;
        const count = new Transform({
          transform: (chunk: Buffer, _encoding, next) => {
            hash.update(chunk);
            byteSize += chunk.length;
            next(null, chunk);
          },
        });
        writing = pipeline(stream, count, createWriteStream(path)).then(() => {
          file = { name: uploadedName(originalname), path, byteSize, sha256: hash.digest() };
        });
        writing.then(
          () => done(null, {}),
          (error: unknown) => done(error),
        );
      },
      _removeFile: (_request, _file, done) => done(null),
    },
    limits: { fileSize: maxMb * MB, files: 1, fields: 5, parts: 6, fieldSize: 1_000, fieldNameSize: 50 },
  }).single('file');
  try {
    // The client cancelled the request while it waited, so no file will arrive.
    if (request.destroyed) throw fileMissing();
    await new Promise<void>((resolve, reject) => {
      form(request, {} as never, (error?: unknown) => (error ? reject(asApiError(error, maxMb)) : resolve()));
    });
  } catch (error) {
    // The folder can be removed only after the last write to it.
    await writing?.catch(() => undefined);
    throw error;
  }
  const { kind } = (request.body ?? {}) as { kind?: unknown };
  if (!file || file.byteSize === 0) throw fileMissing();
  if (!FILE_KINDS.includes(kind as never)) throw fileKindUnknown();
  return { ...file, kind: kind as FileKind };
}

function asApiError(error: unknown, maxMb: number): unknown {
  if ((error as { code?: string }).code === 'LIMIT_FILE_SIZE') return fileTooLarge(maxMb);
  return error instanceof Error ? fileMissing() : error;
}
