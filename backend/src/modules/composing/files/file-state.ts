import type { ScanState } from './stored-file.entity.js';

/**
 * State of a file for users. checking: not stored yet, or a scanner is configured and has not found it clean;
 * ready: may be sent and downloaded; refused: a virus was found; gone: deleted or taken down.
 */
export const FILE_STATES = ['checking', 'ready', 'refused', 'gone'] as const;
export type FileState = (typeof FILE_STATES)[number];

/** The columns that determine a file's state. */
export interface FileStateFacts {
  scan: ScanState;
  storedAt: Date | null;
  deletedAt: Date | null;
  takenDownAt: Date | null;
}

/** SQL of the columns of FileStateFacts, for `files` with the alias `f`. */
export const STATE_COLUMNS = `f.scan, f.stored_at as "storedAt", f.deleted_at as "deletedAt", f.taken_down_at as "takenDownAt"`;

/** @param hasScanner whether a scanner is configured; if so, a file that was not scanned is not ready */
export function fileStateOf(
  { scan, storedAt, deletedAt, takenDownAt }: FileStateFacts,
  hasScanner: boolean,
): FileState {
  if (deletedAt || takenDownAt) return 'gone';
  if (scan === 'infected') return 'refused';
  if (!storedAt) return 'checking';
  return scan === 'clean' || !hasScanner ? 'ready' : 'checking';
}
