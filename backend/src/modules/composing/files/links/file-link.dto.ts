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
   * Subject of the send.
   * @example 'Senior Java developers available'
   */
  subject: string;

  /**
   * When the email was sent.
   * @example '2026-11-21T06:30:00.000Z'
   */
  sentAt: string;

  /**
   * When the link expires.
   * @example '2026-12-21T06:30:00.000Z'
   */
  expiresAt: string;

  /** When the link was revoked; null if it was not. */
  @ApiProperty({ type: String, nullable: true, example: null })
  revokedAt: string | null;

  /**
   * Downloads by people.
   * @example 41
   */
  downloads: number;

  /**
   * Downloads by mail scanners and other programs, and all downloads right after the send.
   * @example 12
   */
  automated: number;

  /** Time of the last download; null if there was none. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-22T06:30:00.000Z' })
  lastDownloadAt: string | null;
}

/** A change of a link. Exactly one of the two fields is given. */
export class ChangeFileLinkDto {
  /** Extends the link to this many days from now. */
  @ApiProperty({ enum: LINK_DAYS, required: false, example: 30 })
  @AbsentIfNull()
  @IsOptional()
  @IsIn(LINK_DAYS, { message: 'expiresInDays must be 7, 30 or 90' })
  expiresInDays?: LinkDays;

  /** Revokes the link for good. */
  @ApiProperty({ type: Boolean, required: false, example: true })
  @AbsentIfNull()
  @IsOptional()
  @Equals(true, { message: 'revoked must be true' })
  revoked?: true;
}

/** The facts about a file that readers of its link see. */
export class SharedFileDto {
  /**
   * Name of the file.
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
   * Name of the user who shares the file.
   * @example 'Dana Cole'
   */
  senderName: string;

  /** Agency of the user who shares the file. */
  @ApiProperty({ type: String, nullable: true, example: 'Northline Staffing' })
  senderAgency: string | null;

  /**
   * When the link expires.
   * @example '2026-12-21T06:30:00.000Z'
   */
  expiresAt: string;
}
