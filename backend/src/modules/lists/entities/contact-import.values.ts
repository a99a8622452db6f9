import type { ColumnTarget } from '../imports/judging/targets.js';

/** States of an import. queued: a direct import that waits to be read. mapping and ready wait for the user. */
export const IMPORT_STATUSES = [
  'uploading',
  'queued',
  'reading',
  'mapping',
  'checking',
  'ready',
  'running',
  'done',
  'failed',
  'discarded',
  'undone',
] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Stages of an import: what a worker does next. Null if there is nothing to do. */
export const IMPORT_STAGES = ['read', 'check', 'commit', 'undo'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/**
 * How far a worker goes without the user: until the columns have to be chosen, until the check is done, or to the end.
 */
export const IMPORT_GOALS = ['mapping', 'ready', 'done'] as const;
export type ImportGoal = (typeof IMPORT_GOALS)[number];

/** What happens to the data of people whom the account knows already. */
export const EXISTING_CHOICES = ['fill', 'replace', 'leave'] as const;
export type ExistingChoice = (typeof EXISTING_CHOICES)[number];

export const FILE_KINDS = ['csv', 'tsv', 'xlsx', 'text'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** State of an attested import; null without an attestation (see decisions.md: attested-contacts). */
export const ATTESTATION_STATES = ['waiting', 'confirmed', 'declined'] as const;
export type AttestationState = (typeof ATTESTATION_STATES)[number];

/**
 * Why an import failed: too few of its first lines contain an address, the file cannot be read (the text is in
 * `fileInfo.message`), or every run ended in an error.
 */
export type ImportFailure = 'no_addresses' | 'file' | 'fault';

/** What is known about a file once it has been read. */
export interface ImportFileInfo {
  encoding?: string | null;
  sheets?: { index: number; name: string }[];
  uses1904?: boolean;
  /** Why the file cannot be read, as text for the user. */
  message?: string;
}

/** A column of the file, and its target. */
export interface ImportColumn {
  header: string;
  samples: string[];
  target: ColumnTarget;
  from: 'guessed' | 'remembered' | 'chosen' | null;
}

/** The user's choices; until the user has chosen, the reader's guesses. */
export interface ImportOptions {
  sheet?: number | null;
  hasHeader?: boolean;
  /** Names of tags that every imported person gets. */
  tags?: string[];
  existing?: ExistingChoice;
  roles?: 'keep' | 'drop';
  attestation?: string | null;
}

/** Corrections by the user, by line and by domain. They are stored, because each new check applies them again. */
export interface ImportCorrections {
  lines?: Record<string, string>;
  domains?: Record<string, { to: string } | { drop: true } | { keep: true }>;
}

/** Result of a check. */
export interface ImportReport {
  new: number;
  updated: number;
  unchanged: number;
  leftOut: number;
  groups: { code: string; count: number }[];
  domains: { domain: string; people: number }[];
  typos: { from: string; to: string; rows: number }[];
  /**
   * Number of domains for which DNS gave no answer, and of people at them, who are imported; absent in reports of
   * earlier versions.
   */
  unchecked?: { domains: number; people: number };
}

/** Progress of a check or Undo. `at` is the next block while staging, and the last judged line while judging. */
export interface ImportCheckpoint {
  phase: 'clear' | 'stage' | 'domains' | 'judge' | 'members' | 'people';
  at: number;
  /** Time at which the lookup of domains began, in ms since 1970. */
  since?: number;
  /**
   * While judging: number of people on judged lines who will join the list. Valid only while `room` is unchanged,
   * because some of these people may have joined since. Absent in checks that an earlier version began.
   */
  joining?: number;
  /** Number of contacts that fitted the plan when `joining` was counted; null: unlimited. */
  room?: number | null;
}

/** Why Undo kept a person. */
export type UndoKept = 'mailed' | 'confirmed' | 'other';

/** Why a line was not imported. `exists` occurs in direct imports only. */
export const REJECT_REASONS = [
  'invalid',
  'unreadable',
  'duplicate',
  'exists',
  'suppressed',
  'disposable',
  'list_address',
  'no_domain',
  'role',
  'dropped',
  'limit',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];
