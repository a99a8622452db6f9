import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { AbsentIfNull } from '../../../../shared/http/index.js';
import { DEFAULT_LINK_DAYS, LINK_DAYS, type LinkDays } from '../links/file-link.entity.js';

/**
 * How a file goes with a message. link: readers download it from a page; attachment: every message contains its bytes.
 */
export const FILE_WAYS = ['link', 'attachment'] as const;
export type FileWay = (typeof FILE_WAYS)[number];
/** Maximum number of files of one message. */
export const MAX_FILES_OF_MESSAGE = 10;

/** The choice of a file for a message, as stored. */
export interface ChosenFile {
  fileId: string;
  as: FileWay;
  expiresInDays: LinkDays;
}

/** A file that goes with a message. */
export class ChosenFileDto {
  /**
   * Id of an uploaded file
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsString({ message: 'fileId must be the id of a file' })
  fileId: string;

  /** link: readers download it from a page; attachment: every message has it */
  @ApiProperty({ enum: FILE_WAYS, required: false, example: 'link' })
  @AbsentIfNull()
  @IsOptional()
  @IsIn(FILE_WAYS, { message: 'as must be link or attachment' })
  as?: FileWay;

  /**
   * Days for which the link works after the email is sent; 30 by default. An attached file has a link only if the text
   * links to it.
   */
  @ApiProperty({ enum: LINK_DAYS, required: false, example: 30 })
  @AbsentIfNull()
  @IsOptional()
  @IsIn(LINK_DAYS, { message: 'expiresInDays must be 7, 30 or 90' })
  expiresInDays?: LinkDays;
}

/** The chosen files of a request without duplicates; the last choice for a file counts. */
export function chosenFilesOf(given: readonly ChosenFileDto[] | null | undefined): ChosenFile[] {
  const byId = new Map<string, ChosenFile>();
  for (const { fileId, as = 'link', expiresInDays = DEFAULT_LINK_DAYS } of given ?? []) {
    const id = fileId.toLowerCase();
    byId.set(id, { fileId: id, as, expiresInDays });
  }
  return [...byId.values()];
}
