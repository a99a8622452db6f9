import type { Job } from './job.js';

/** Parts of a job that can be read from a text. */
export const JOB_FIELDS = [
  'title',
  'hiringOrganization',
  'jobLocations',
  'workMode',
  'baseSalary',
  'employmentTypes',
  'duration',
  'startDate',
  'workAuthorization',
  'experienceYears',
  'requiredSkills',
  'preferredSkills',
  'interview',
  'validThrough',
  'jobId',
  'description',
] as const;
export type JobField = (typeof JOB_FIELDS)[number];

export const CONFIDENCES = ['sure', 'check'] as const;
export type Confidence = (typeof CONFIDENCES)[number];

export const LEFT_OUT_KINDS = ['email', 'phone', 'signature', 'disclaimer'] as const;
export type LeftOutKind = (typeof LEFT_OUT_KINDS)[number];

/** A part of a text, from its first character up to, but not including, `to`. Offsets in UTF-16 units. */
export interface Span {
  from: number;
  to: number;
}

/** A field of a job that was read from a text, with its place in the text and the confidence of the reading. */
export interface Guess extends Span {
  field: JobField;
  confidence: Confidence;
}

/** A part of the text that no field contains. */
export interface LeftOutText extends Span {
  kind: LeftOutKind;
}

/** The parts of a text that no field contains. */
export interface LeftOut {
  /** Number of distinct addresses. */
  emails: number;
  /** Number of distinct telephone numbers. */
  phones: number;
  signature: boolean;
  disclaimer: boolean;
  texts: LeftOutText[];
}

/** A requirement found in a text. Offsets are UTF-16 units of the original text. */
export interface Requirement {
  job: Job;
  guesses: Guess[];
  leftOut: LeftOut;
  /** Names of the hidden client in the job, as written, without duplicates. */
  hiddenNames: string[];
  /** Subject of the post; empty if nothing is known. */
  subject: string;
}
