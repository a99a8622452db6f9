/** Meanings of labels: a part of a job, or another text, which only ends the value before it. */
export const LABEL_FIELDS = [
  'title',
  'subject',
  'client',
  'location',
  'mode',
  'rate',
  'terms',
  'duration',
  'start',
  'authorization',
  'experience',
  'required',
  'preferred',
  'interview',
  'deadline',
  'jobId',
  'description',
  'other',
] as const;
export type LabelField = (typeof LABEL_FIELDS)[number];

/** Fields whose value may have several lines. */
export const SECTIONS: ReadonlySet<LabelField> = new Set(['required', 'preferred', 'description']);
