import { ApiProperty } from '@nestjs/swagger';
import { FILE_TYPES, type FileType } from '../stored-file.entity.js';
import { FILE_WAYS, type FileWay } from './chosen-files.dto.js';

/** A file that went with a send. */
export class SentFileDto {
  /**
   * Id of the file.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  fileId: string;

  /** link: readers download it from a page; attachment: every message had it. */
  @ApiProperty({ enum: FILE_WAYS, example: 'attachment' })
  as: FileWay;

  /**
   * Name of the file; empty once it is deleted.
   * @example 'Resume, Java developer.pdf'
   */
  name: string;

  /** Media type of the file. */
  @ApiProperty({ enum: Object.keys(FILE_TYPES), example: 'application/pdf' })
  mediaType: FileType;

  /**
   * Size in bytes.
   * @example 245760
   */
  byteSize: number;

  /** Downloads by people; null if the messages had no link to the file. */
  @ApiProperty({ type: Number, nullable: true, example: 41 })
  downloads: number | null;

  /**
   * Downloads by mail scanners and other programs, and all downloads right after the send; null if the messages had no
   * link to the file.
   */
  @ApiProperty({ type: Number, nullable: true, example: 12 })
  automated: number | null;
}
