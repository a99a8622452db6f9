import type { Composition } from '../draft';

/** The answer to a save. */
export interface Saved {
  id: string;
  version: number;
  updatedAt: string;
}

/** The version on the server that conflicts with the local changes. */
export interface StoredVersion {
  version: number;
  updatedAt: string;
  device: string | null;
}

export type SaveState =
  | { name: 'clean' }
  | { name: 'waiting' }
  | { name: 'saving' }
  | { name: 'saved'; at: string }
  /** A temporary error; the save is retried. */
  | { name: 'failed' }
  /** The server rejected the content; it has to be changed. */
  | { name: 'refused'; why: string }
  | { name: 'conflict'; other: StoredVersion }
  | { name: 'sent'; sendId: string; at: string }
  /** The draft became a scheduled email. */
  | { name: 'scheduled' }
  | { name: 'deleted' };

/** Why a save failed. */
export type SaveError =
  | { kind: 'changed'; other: StoredVersion }
  | { kind: 'sent'; sendId: string; at: string }
  | { kind: 'scheduled' }
  | { kind: 'deleted' }
  | { kind: 'refused'; why: string }
  | { kind: 'passing'; waitSeconds?: number };

/** The stored parts of a draft: its composition and the step of the wizard. */
export interface DraftParts extends Composition {
  step: number;
}
