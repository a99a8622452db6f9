import type { ColumnTarget } from '../imports/judging/targets.js';

/** queued: waits to be read, for imports that go straight into a list. mapping and ready wait for the user. */
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

/** What a worker does next with an import; null: nothing. */
export const IMPORT_STAGES = ['read', 'check', 'commit', 'undo'] as const;
export type ImportStage = (typeof IMPORT_STAGES)[number];

/** How far the worker goes by itself: until the columns are chosen, until the check is read, or to the end. */
export const IMPORT_GOALS = ['mapping', 'ready', 'done'] as const;
export type ImportGoal = (typeof IMPORT_GOALS)[number];

/** What happens to people whom the account knows already. */
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

/** What the reader found out about a file. */
export interface ImportFileInfo {
  encoding?: string | null;
  sheets?: { index: number; name: string }[];
  uses1904?: boolean;
  /** Why the file cannot be read, for people. */
  message?: string;
}

/** A column of the file, and where it goes. */
export interface ImportColumn {
  header: string;
  samples: string[];
  target: ColumnTarget;
  from: 'guessed' | 'remembered' | 'chosen' | null;
}

/** Choices of the user, and of the reader until the user chose. */
export interface ImportOptions {
  sheet?: number | null;
  hasHeader?: boolean;
  /** Names of tags that everybody gets. */
  tags?: string[];
  existing?: ExistingChoice;
  roles?: 'keep' | 'drop';
  attestation?: string | null;
}

/** Corrections of the user by line and by domain; kept, because they are applied anew by each check. */
export interface ImportCorrections {
  lines?: Record<string, string>;
  domains?: Record<string, { to: string } | { drop: true } | { keep: true }>;
}

/** What a check found. */
export interface ImportReport {
  new: number;
  updated: number;
  unchanged: number;
  leftOut: number;
  groups: { code: string; count: number }[];
  domains: { domain: string; people: number }[];
  typos: { from: string; to: string; rows: number }[];
  /** What goes in although DNS did not tell whether its domain takes mail; absent in reports of earlier versions. */
  unchecked?: { domains: number; people: number };
}

/** How far a check is, or Undo. `at`: next block while staging, last line while judging. */
export interface ImportCheckpoint {
  phase: 'clear' | 'stage' | 'domains' | 'judge' | 'members' | 'people';
  at: number;
  /** Milliseconds since 1970 at which the domains began to be looked up. */
  since?: number;
}

/** Why Undo left a person. */
export type UndoKept = 'mailed' | 'confirmed' | 'other';

/** Why a line was not imported. `exists`: only of imports that go straight into a list. */
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
