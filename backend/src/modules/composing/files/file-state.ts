import type { ScanState } from './stored-file.entity.js';

/**
 * What a document is to people: checking until a scanner that runs has called it clean, ready, refused for a virus, or
 * gone.
 */
export const FILE_STATES = ['checking', 'ready', 'refused', 'gone'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** Columns that decide on a file's state. */
export interface FileStateFacts {
  scan: ScanState;
  storedAt: Date | null;
  deletedAt: Date | null;
  takenDownAt: Date | null;
}

/** The same columns of `files`, aliased `f`. */
export const STATE_COLUMNS = `f.scan, f.stored_at as "storedAt", f.deleted_at as "deletedAt", f.taken_down_at as "takenDownAt"`;

/** @param hasScanner files are scanned: one that never was has to wait */
export function fileStateOf(
  { scan, storedAt, deletedAt, takenDownAt }: FileStateFacts,
  hasScanner: boolean,
): FileState {
  if (deletedAt || takenDownAt) return 'gone';
  if (scan === 'infected') return 'refused';
  if (!storedAt) return 'checking';
  return scan === 'clean' || !hasScanner ? 'ready' : 'checking';
}
