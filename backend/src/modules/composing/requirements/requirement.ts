import type { Job } from './job.js';

/** Parts of a job that a text may say. */
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

/** A part of a text: from its first character to behind its last. */
export interface Span {
  from: number;
  to: number;
}

/** Where a part of the job was read, and how sure it is. */
export interface Guess extends Span {
  field: JobField;
  confidence: Confidence;
}

/** A part of the text that no field took. */
export interface LeftOutText extends Span {
  kind: LeftOutKind;
}

/** What of a text is in no field. */
export interface LeftOut {
  /** Different addresses. */
  emails: number;
  /** Different numbers. */
  phones: number;
  signature: boolean;
  disclaimer: boolean;
  texts: LeftOutText[];
}

/** A requirement that was found in a text. Offsets are UTF-16 units of the text as it was given. */
export interface Requirement {
  job: Job;
  guesses: Guess[];
  leftOut: LeftOut;
  /** How the job names the client that its post hides, as written, each once. */
  hiddenNames: string[];
  /** For the post; empty where there is nothing to say. */
  subject: string;
}
