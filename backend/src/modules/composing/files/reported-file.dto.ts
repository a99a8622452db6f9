import { ApiProperty } from '@nestjs/swagger';
import { FILE_TYPES, type FileType } from './stored-file.entity.js';

/** A file that its readers reported. */
export class ReportedFileDto {
  /**
   * Id of the file.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Name of the file; empty once its owner deleted it.
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

  /**
   * Id of the file's owner.
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  userId: string;

  /** Email address of the owner; null for a closed account. */
  @ApiProperty({ type: String, nullable: true, example: 'ann@acme-staffing.com' })
  userEmail: string | null;

  /**
   * Number of reports.
   * @example 2
   */
  reports: number;

  /**
   * When the file was last reported.
   * @example '2026-11-21T06:30:00.000Z'
   */
  reportedAt: string;

  /** When an admin took the file down; null if it was not taken down. */
  @ApiProperty({ type: String, nullable: true, example: null })
  takenDownAt: string | null;
}
