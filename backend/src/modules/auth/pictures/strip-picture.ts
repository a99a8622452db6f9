import type { PictureType } from '../entities/user-avatar.entity.js';
import { stripJpeg } from './strip-jpeg.js';
import { stripPng } from './strip-png.js';
import { stripWebp } from './strip-webp.js';

/**
 * Removes all metadata from a picture, such as location, time, device and author, and all hidden data. Never decodes
 * pixels, so a small file cannot require much memory.
 * @throws UnreadablePicture
 */
export async function stripPicture(type: PictureType, source: Buffer): Promise<Buffer> {
  if (type === 'image/jpeg') return stripJpeg(source);
  return type === 'image/png' ? stripPng(source) : stripWebp(source);
}
