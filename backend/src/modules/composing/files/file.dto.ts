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

/** Selects files. */
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
   * Its id, for the fileId of an image or a file link in a document, and of `files` of an email.
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** What it is for. */
  @ApiProperty({ enum: FILE_KINDS, example: 'image' })
  kind: FileKind;

  /**
   * Its name: as it was uploaded, without a path and further endings, or as it was renamed.
   * @example 'logo.png'
   */
  name: string;

  /** Its type, by its bytes. */
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

  /** Public address of a picture, the same for every recipient; other files have a link for each email. */
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'https://staffcast.example/media/Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM9Zk3mM90.png',
  })
  url: string | null;

  /** checking: a virus scanner has not looked at it yet; refused: it contains a virus; gone: it was taken down. */
  @ApiProperty({ enum: FILE_STATES, example: 'ready' })
  state: FileState;

  /**
   * Sent emails that link to it, show it or have it attached.
   * @example 3
   */
  usedIn: number;

  /**
   * Downloads by people, over all links.
   * @example 41
   */
  downloads: number;

  /**
   * Downloads by mail scanners and other programs, and those right after the send.
   * @example 12
   */
  automated: number;

  /** When the last of its links that work will stop; null: none works. */
  @ApiProperty({ type: String, nullable: true, example: '2026-12-21T06:30:00.000Z' })
  expiresAt: string | null;

  /**
   * When it was uploaded.
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;
}

/** A file with its links. */
export class FileDetailDto extends FileDto {
  /** Its links in sent emails, the latest first; at most 100. */
  links: FileLinkDto[];
}

/** The space that an account's files take. */
export class FileSpaceDto {
  /**
   * Bytes that its pictures and documents take.
   * @example 50331648
   */
  usedBytes: number;

  /**
   * Bytes that its plan lets them take.
   * @example 209715200
   */
  limitBytes: number;

  /**
   * Bytes that one document may have.
   * @example 10485760
   */
  fileBytes: number;

  /**
   * Bytes that may be attached to one message.
   * @example 2097152
   */
  attachmentBytes: number;

  /**
   * Bytes that the attachments of one send may come to over all its recipients.
   * @example 1048576000
   */
  attachmentBudgetBytes: number;
}

/** A new name of a file. */
export class RenameFileDto {
  /**
   * The name; its ending is kept as the file's type has it.
   * @example 'Resume, Java developer'
   */
  @Matches(/\S/, { message: 'Give the file a name' })
  @MaxLength(200, { message: 'A name has at most 200 characters' })
  @IsString({ message: 'Give the file a name' })
  name: string;
}

/** The file whose bytes take the place of another's. */
export class ReplaceFileDto {
  /**
   * Id of a file that was just uploaded: no email or draft has it yet
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsString({ message: 'fileId must be the id of a file' })
  fileId: string;
}
