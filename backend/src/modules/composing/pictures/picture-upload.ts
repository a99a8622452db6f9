import { readFile } from 'node:fs/promises';
import { imageSize } from 'image-size';
import { stripPicture, UnreadablePicture } from '../../auth/index.js';
import { pictureTooLarge, fileUnreadable, pictureTypeRefused } from '../composing.errors.js';
import { pictureName } from '../files/uploads/file-name.js';
import type { UploadedFile } from '../files/uploads/file-upload.js';
import type { PictureType } from '../files/stored-file.entity.js';

const MAX_BYTES = 2 * 1024 * 1024;
const MAX_SIDE_PIXELS = 4_096;
const TYPES: Readonly<Record<string, PictureType>> = { png: 'image/png', jpg: 'image/jpeg' };

/** An uploaded picture without metadata; its type was detected from its bytes. */
export interface UploadedPicture {
  name: string;
  mediaType: PictureType;
  width: number;
  height: number;
  content: Buffer;
}

/**
 * Reads an uploaded picture.
 * @throws 400 for bytes that cannot be decoded, 413 for more than 2 MB, 415 for other types than PNG and JPEG
 */
export async function readPicture({ path, byteSize, name }: UploadedFile): Promise<UploadedPicture> {
  if (byteSize > MAX_BYTES) throw pictureTooLarge();
  const bytes = await readFile(path);
  const { mediaType, width, height } = measured(bytes);
  const content = await stripPicture(mediaType, bytes).catch((error: unknown) => {
    throw error instanceof UnreadablePicture ? fileUnreadable() : error;
  });
  return { name: pictureName(name), mediaType, width, height, content };
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
  const isShowable = (side: number): boolean => side > 0 && side <= MAX_SIDE_PIXELS;
  if (!isShowable(size.width) || !isShowable(size.height)) throw fileUnreadable();
  return { mediaType, width: size.width, height: size.height };
}
