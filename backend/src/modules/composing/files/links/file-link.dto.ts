import { ApiProperty } from '@nestjs/swagger';
import { Equals, IsIn, IsOptional } from 'class-validator';
import { AbsentIfNull } from '../../../../shared/http/index.js';
import { FILE_TYPES, type FileType } from '../stored-file.entity.js';
import { LINK_DAYS, type LinkDays } from './file-link.entity.js';

/** The link to a file in the messages of one send. */
export class FileLinkDto {
  /**
   * Id of the link.
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  id: string;

  /**
   * Id of the send.
   * @example '1d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  sendId: string;

  /**
   * Its subject.
   * @example 'Senior Java developers available'
   */
  subject: string;

  /**
   * When it was sent.
   * @example '2026-11-21T06:30:00.000Z'
   */
  sentAt: string;

  /**
   * Until when the link works.
   * @example '2026-12-21T06:30:00.000Z'
   */
  expiresAt: string;

  /** When it was stopped; null: it was not. */
  @ApiProperty({ type: String, nullable: true, example: null })
  revokedAt: string | null;

  /**
   * Downloads by people.
   * @example 41
   */
  downloads: number;

  /**
   * Downloads by mail scanners and other programs, and those right after the send.
   * @example 12
   */
  automated: number;

  /** The last download; null: none yet. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-22T06:30:00.000Z' })
  lastDownloadAt: string | null;
}

/** Exactly one of: extend the link, or stop it. */
export class ChangeFileLinkDto {
  /** Lets it work for so many days from now. */
  @ApiProperty({ enum: LINK_DAYS, required: false, example: 30 })
  @AbsentIfNull()
  @IsOptional()
  @IsIn(LINK_DAYS, { message: 'expiresInDays must be 7, 30 or 90' })
  expiresInDays?: LinkDays;

  /** Stops it for good. */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @Equals(true, { message: 'revoked must be true' })
  revoked?: true;
}

/** What the reader of a link sees of its file. */
export class SharedFileDto {
  /**
   * Its name.
   * @example 'Resume, Java developer.pdf'
   */
  name: string;

  /** Its type. */
  @ApiProperty({ enum: Object.keys(FILE_TYPES), example: 'application/pdf' })
  mediaType: FileType;

  /**
   * Size in bytes.
   * @example 245760
   */
  byteSize: number;

  /**
   * Who shares it.
   * @example 'Dana Cole'
   */
  senderName: string;

  /** Their agency. */
  @ApiProperty({ type: String, nullable: true, example: 'Northline Staffing' })
  senderAgency: string | null;

  /**
   * Until when the link works.
   * @example '2026-12-21T06:30:00.000Z'
   */
  expiresAt: string;
}
