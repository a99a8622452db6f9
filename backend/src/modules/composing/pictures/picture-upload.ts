import type { Request } from 'express';
import { imageSize } from 'image-size';
import multer from 'multer';
import { stripPicture, UnreadablePicture } from '../../auth/index.js';
import { fileKindUnknown, fileMissing, fileTooLarge, fileUnreadable, pictureTypeRefused } from '../composing.errors.js';
import { FILE_KINDS, type PictureType } from './stored-file.entity.js';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SIDE = 4_096;
const MAX_NAME = 200;
const TYPES: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg' };
/** What a display name does not hold: paths, control, bidirectional and invisible characters. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

/** A picture that was uploaded, judged by its bytes and without metadata. */
export interface UploadedPicture {
  name: string;
  mediaType: PictureType;
  width: number;
  height: number;
  content: Buffer;
}

const form = multer({
  storage: multer.memoryStorage(),
  limits: { fileSize: MAX_BYTES, files: 1, fields: 5, parts: 6, fieldSize: 1_000, fieldNameSize: 50 },
}).single('file');

/**
 * Reads a form with one picture.
 * @throws 400 for another form, 413 for more than 2 MB, 415 for anything but a PNG or JPEG
 */
export async function readPicture(request: Request): Promise<UploadedPicture> {
  if (!request.is('multipart/form-data')) throw fileMissing();
  if (Number(request.get('content-length')) > MAX_BYTES + 16 * 1024) throw fileTooLarge();
  await new Promise<void>((resolve, reject) => {
    form(request, {} as never, (error?: unknown) => (error ? reject(asApiError(error)) : resolve()));
  });
  const { file } = request;
  const { kind } = (request.body ?? {}) as { kind?: unknown };
  if (!file || file.size === 0) throw fileMissing();
  if (!FILE_KINDS.includes(kind as never)) throw fileKindUnknown();
  const { mediaType, width, height } = measured(file.buffer);
  const content = await stripPicture(mediaType, file.buffer).catch((error: unknown) => {
    throw error instanceof UnreadablePicture ? fileUnreadable() : error;
  });
  return { name: displayName(file.originalname), mediaType, width, height, content };
}

function measured(bytes: Buffer): Pick<UploadedPicture, 'mediaType' | 'width' | 'height'> {
  let size: { type?: string; width: number; height: number };
  try {
    size = imageSize(bytes);
  } catch {
    throw pictureTypeRefused();
  }
  const mediaType = TYPES[size.type ?? ''];
  if (!mediaType) throw pictureTypeRefused();
  const isShowable = (side: number): boolean => side > 0 && side <= MAX_SIDE;
  if (!isShowable(size.width) || !isShowable(size.height)) throw fileUnreadable();
  return { mediaType, width: size.width, height: size.height };
}

/** Browsers send UTF-8, which the form's reader takes for Latin-1. */
function displayName(given: string): string {
  const bytes = Buffer.from(given, 'latin1');
  const text = bytes.toString('utf8').includes('\ufffd') ? given : bytes.toString('utf8');
  const name = text
    .replace(/^.*[/\\]/s, '')
    .replace(NOT_IN_NAMES, '')
    .trim()
    .slice(0, MAX_NAME)
    .toWellFormed();
  return name || 'picture';
}

function asApiError(error: unknown): unknown {
  if ((error as { code?: string }).code === 'LIMIT_FILE_SIZE') return fileTooLarge();
  return error instanceof Error ? fileMissing() : error;
}
