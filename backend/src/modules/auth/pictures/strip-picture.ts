import type { PictureType } from '../entities/user-avatar.entity.js';
import { stripJpeg } from './strip-jpeg.js';
import { stripPng } from './strip-png.js';
import { stripWebp } from './strip-webp.js';

/**
 * The picture without anything but its pixels: where and when it was taken, by which device and person, and what else was hidden in the file goes.
 * Nothing is decoded to pixels, so no small file can ask for much memory.
 * @throws UnreadablePicture
 */
export async function stripPicture(type: PictureType, source: Buffer): Promise<Buffer> {
  if (type === 'image/jpeg') return stripJpeg(source);
  return type === 'image/png' ? stripPng(source) : stripWebp(source);
}
