import { ApiProperty } from '@nestjs/swagger';
import { FILE_KINDS, type FileKind, PICTURE_TYPES, type PictureType } from './stored-file.entity.js';

/** An uploaded picture. */
export class PictureDto {
  /**
   * Its id, for the fileId of an image in a document.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** What it is for. */
  @ApiProperty({ enum: FILE_KINDS, example: 'image' })
  kind: FileKind;

  /**
   * Name of the file as it was uploaded.
   * @example 'logo.png'
   */
  name: string;

  /** Its type, by its bytes. */
  @ApiProperty({ enum: PICTURE_TYPES, example: 'image/png' })
  mediaType: PictureType;

  /**
   * Size in bytes.
   * @example 18230
   */
  byteSize: number;

  /**
   * Width in pixels.
   * @example 640
   */
  width: number;

  /**
   * Height in pixels.
   * @example 320
   */
  height: number;

  /**
   * Public address, the same for every recipient.
   * @example 'https://staffcast.example/media/Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM90.png'
   */
  url: string;

  /**
   * When it was uploaded.
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;
}
