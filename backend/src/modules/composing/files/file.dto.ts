import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { FileLinkDto } from './links/file-link.dto.js';
import { FILE_STATES, type FileState } from './file-state.js';
import {
  FILE_TYPES,
  type FileType,
  FILE_KINDS,
  type FileKind,
  PICTURE_TYPES,
  type PictureType,
} from './stored-file.entity.js';

const MEDIA_TYPES = [...PICTURE_TYPES, ...Object.keys(FILE_TYPES)];

/** Filters and order of the file list. */
export class FileQuery extends PageQuery {
  /** Only files of this kind. */
  @ApiProperty({ enum: FILE_KINDS, required: false, example: 'document' })
  @IsOptional()
  @IsIn(FILE_KINDS, { message: 'kind must be image or document' })
  kind?: FileKind;
}

/** An uploaded file: a picture for messages (kind `image`), or a file that goes with them (kind `document`). */
export class FileDto {
  /**
   * Id of the file: the `fileId` of images and file links in a document, and of an email's `files`.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** image: a picture for messages; document: any other file. */
  @ApiProperty({ enum: FILE_KINDS, example: 'image' })
  kind: FileKind;

  /**
   * Name of the file, without path and further extensions, as uploaded or renamed.
   * @example 'logo.png'
   */
  name: string;

  /** Media type, detected from the bytes. */
  @ApiProperty({ enum: MEDIA_TYPES, example: 'image/png' })
  mediaType: PictureType | FileType;

  /**
   * Size in bytes.
   * @example 18230
   */
  byteSize: number;

  /** Width of a picture in pixels. */
  @ApiProperty({ type: Number, nullable: true, example: 640 })
  width: number | null;

  /** Height of a picture in pixels. */
  @ApiProperty({ type: Number, nullable: true, example: 320 })
  height: number | null;

  /**
   * Public URL of a picture, the same for every recipient; null for other files, which have a separate link per email.
   */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'https://staffcast.example/media/Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM90.png',
  })
  url: string | null;

  /** checking: not scanned for viruses yet; refused: contains a virus; gone: taken down. */
  @ApiProperty({ enum: FILE_STATES, example: 'ready' })
  state: FileState;

  /**
   * Number of sent emails that link to the file, show it or have it attached.
   * @example 3
   */
  usedIn: number;

  /**
   * Downloads by people, over all links.
   * @example 41
   */
  downloads: number;

  /**
   * Downloads by mail scanners and other programs, and all downloads right after the send.
   * @example 12
   */
  automated: number;

  /** When the last working link expires; null if no link works. */
  @ApiProperty({ type: String, nullable: true, example: '2026-12-21T06:30:00.000Z' })
  expiresAt: string | null;

  /**
   * When the file was uploaded.
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;
}

/** A file with its links. */
export class FileDetailDto extends FileDto {
  /** The file's links in sent emails, the latest first, at most 100. */
  links: FileLinkDto[];
}

/** The storage that an account's files use, and its limits. */
export class FileSpaceDto {
  /**
   * Bytes that the account's pictures and documents use.
   * @example 50331648
   */
  usedBytes: number;

  /**
   * Bytes that the account's plan allows.
   * @example 209715200
   */
  limitBytes: number;

  /**
   * Maximum size of one document in bytes.
   * @example 10485760
   */
  fileBytes: number;

  /**
   * Maximum size in bytes of all files attached to one message.
   * @example 2097152
   */
  attachmentBytes: number;

  /**
   * Maximum size in bytes of a send's attachments over all recipients: attached bytes times recipients.
   * @example 1048576000
   */
  attachmentBudgetBytes: number;
}

/** The new name of a file. */
export class RenameFileDto {
  /**
   * New name; the extension of the file's type is kept or added.
   * @example 'Resume, Java developer'
   */
  @Matches(/\S/, { message: 'Give the file a name' })
  @MaxLength(200, { message: 'A name has at most 200 characters' })
  @IsString({ message: 'Give the file a name' })
  name: string;
}

/** The file that provides the new bytes. */
export class ReplaceFileDto {
  /**
   * Id of a newly uploaded file that no email or draft uses
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsString({ message: 'fileId must be the id of a file' })
  fileId: string;
}
