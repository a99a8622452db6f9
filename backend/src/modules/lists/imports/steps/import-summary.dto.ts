import { ApiProperty } from '@nestjs/swagger';
import {
  FILE_KINDS,
  type FileKind,
  IMPORT_STAGES,
  IMPORT_STATUSES,
  type ImportStage,
  type UndoKept,
} from '../../entities/contact-import.values.js';

/** States of an import as the API names them. */
export const SHOWN_STATUSES = IMPORT_STATUSES.filter((status) => status !== 'queued');
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

const KEPT_REASONS = ['mailed', 'confirmed', 'other'] as const satisfies readonly UndoKept[];

/** Progress in lines. */
export class ImportProgressDto {
  /**
   * Lines that are done
   * @example 12000
   */
  done: number;

  /**
   * All lines; while the file is read, an estimate
   * @example 40000
   */
  total: number;
}

/** People whom Undo kept. */
export class ImportKeptDto {
  /**
   * mailed: a message has reached them; confirmed: they agreed themselves or an admin confirmed them; other: they are
   * on another list
   */
  @ApiProperty({ enum: KEPT_REASONS, example: 'mailed' })
  reason: UndoKept;

  /**
   * Number of people
   * @example 3
   */
  count: number;
}

/** Result of an import. */
export class ImportResultDto {
  /**
   * People who were new
   * @example 38000
   */
  added: number;

  /**
   * People who were known and changed, or joined the list
   * @example 214
   */
  updated: number;

  /**
   * People who stayed unchanged
   * @example 90
   */
  unchanged: number;

  /**
   * Lines that were left out
   * @example 1696
   */
  leftOut: number;

  /**
   * People whom Undo removed; 0 before an Undo
   * @example 0
   */
  removed: number;

  /**
   * People known before whom Undo took off the list and kept as contacts; 0 before an Undo
   * @example 0
   */
  takenOff: number;

  /** People whom Undo kept; empty before an Undo */
  kept: ImportKeptDto[];
}

/** An import in the list of imports. */
export class AccountImportDto {
  /**
   * Its id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /** Its state */
  @ApiProperty({ enum: SHOWN_STATUSES, example: 'ready' })
  status: ShownStatus;

  /** The stage in which a worker is, or the stage that failed and can be tried again; null: none */
  @ApiProperty({ enum: IMPORT_STAGES, nullable: true, example: null })
  stage: ImportStage | null;

  /** Name of the file; null: pasted text */
  @ApiProperty({ type: String, nullable: true, example: 'vendors.xlsx' })
  fileName: string | null;

  /** Kind of the file; null until it is read */
  @ApiProperty({ enum: FILE_KINDS, nullable: true, example: 'xlsx' })
  fileKind: FileKind | null;

  /** List that the people are put on; null: none */
  @ApiProperty({ type: String, nullable: true, example: '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11' })
  listId: string | null;

  /** Name of that list */
  @ApiProperty({ type: String, nullable: true, example: 'Java vendors' })
  listName: string | null;

  /** Progress of the present stage */
  progress: ImportProgressDto;

  /** Result; null until it is committed */
  @ApiProperty({ type: ImportResultDto, nullable: true })
  result: ImportResultDto | null;

  /** Until when it can be undone; null: it cannot */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-30T09:30:00.000Z' })
  undoUntil: string | null;

  /** When an unfinished import is dropped; null: it is finished */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-30T09:30:00.000Z' })
  expiresAt: string | null;

  /** Why it failed; null otherwise */
  @ApiProperty({ type: String, nullable: true, example: null })
  message: string | null;

  /**
   * When the file was received
   * @example '2026-11-23T09:30:00.000Z'
   */
  createdAt: string;

  /** When it ended; null: it has not */
  @ApiProperty({ type: String, nullable: true, example: null })
  finishedAt: string | null;
}
