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
   * Number of lines that are done
   * @example 12000
   */
  done: number;

  /**
   * Number of all lines; while the file is read, an estimate
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
   * Number of people who were new
   * @example 38000
   */
  added: number;

  /**
   * Number of people who were known and changed, or joined the list
   * @example 214
   */
  updated: number;

  /**
   * Number of people who stayed unchanged
   * @example 90
   */
  unchanged: number;

  /**
   * Number of lines that were left out
   * @example 1696
   */
  leftOut: number;

  /**
   * Number of people whom Undo removed; 0 before an Undo
   * @example 0
   */
  removed: number;

  /**
   * Number of people, known before the import, whom Undo took off the list and kept as contacts; 0 before an Undo
   * @example 0
   */
  takenOff: number;

  /** People whom Undo kept; empty before an Undo */
  kept: ImportKeptDto[];
}

/** An import in the list of imports. */
export class AccountImportDto {
  /**
   * The import's id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /** State of the import */
  @ApiProperty({ enum: SHOWN_STATUSES, example: 'ready' })
  status: ShownStatus;

  /** The stage that a worker runs, or the failed stage that can be tried again; null for none */
  @ApiProperty({ enum: IMPORT_STAGES, nullable: true, example: null })
  stage: ImportStage | null;

  /** Name of the file; null for pasted text */
  @ApiProperty({ type: String, nullable: true, example: 'vendors.xlsx' })
  fileName: string | null;

  /** Kind of the file; null until it is read */
  @ApiProperty({ enum: FILE_KINDS, nullable: true, example: 'xlsx' })
  fileKind: FileKind | null;

  /** List that the people are put on; null for none */
  @ApiProperty({ type: String, nullable: true, example: '8a3c1d52-9f3b-4d0e-a3d5-7f6f3b6f2f11' })
  listId: string | null;

  /** Name of that list */
  @ApiProperty({ type: String, nullable: true, example: 'Java vendors' })
  listName: string | null;

  /** Progress of the current stage */
  progress: ImportProgressDto;

  /** Result of the import; null until it is committed */
  @ApiProperty({ type: ImportResultDto, nullable: true })
  result: ImportResultDto | null;

  /** Time until which the import can be undone; null if it cannot be undone */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-30T09:30:00.000Z' })
  undoUntil: string | null;

  /** When the import is dropped unless the user goes on with it; null if it does not wait for the user */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-30T09:30:00.000Z' })
  expiresAt: string | null;

  /** Why the import failed; null unless it failed */
  @ApiProperty({ type: String, nullable: true, example: null })
  message: string | null;

  /**
   * When the file was received
   * @example '2026-11-23T09:30:00.000Z'
   */
  createdAt: string;

  /** When the import ended; null if it has not ended */
  @ApiProperty({ type: String, nullable: true, example: null })
  finishedAt: string | null;
}
