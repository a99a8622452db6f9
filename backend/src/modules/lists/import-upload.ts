import type { Request } from 'express';
import multer from 'multer';
import type { Readable } from 'node:stream';
import { AppError } from '../../shared/errors/app-error.js';
import { importEmpty, importTooLarge } from './lists.errors.js';

/** Reads a form: hands the part `file` on as a stream and returns the field `attestation`. */
export async function readUpload(request: Request, write: (content: Readable) => Promise<void>, maxBytes: number): Promise<{ attestation: string | null }> {
  let isRead = false;
  const upload = multer({
    storage: {
      _handleFile: (_request, file, done) => {
        isRead = true;
        write(file.stream).then(() => done(null, {}), (error: unknown) => {
          file.stream.resume();
          done(error);
        });
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
  return { attestation: typeof attestation === 'string' ? attestation.replace(/\0/g, '') : null };
}

function asApiError(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if ((error as { code?: string }).code === 'LIMIT_FILE_SIZE') return importTooLarge();
  if (error instanceof multer.MulterError || error instanceof Error) return new AppError('bad_request', 400, 'The form could not be read: send one part named file');
  return error;
}
