import { lengthHint } from '../../../lib/format';
import type { Job } from '../draft';
import { locationText, parseLocations, rateText, parsePay } from './job-texts';

export type Term = Job['employmentTypes'][number];
export type WorkMode = NonNullable<Job['workMode']>;

/** A job as values of the dialog's fields: an empty text is an unknown detail. */
export interface JobValues {
  title: string;
  client: string;
  isClientShown: boolean;
  /** 'Hartford, CT; Austin, TX' */
  location: string;
  workMode: WorkMode | '';
  workModeNote: string;
  /** '$60-65/hr', or words such as 'DOE' */
  rate: string;
  terms: readonly Term[];
  duration: string;
  start: string;
  /** One value per line. */
  workAuthorization: string;
  experience: string;
  /** Separated by commas. */
  required: string;
  /** Separated by commas. */
  preferred: string;
  interview: string;
  validThrough: string;
  jobId: string;
  description: string;
}

/** The fields that hold a text. */
export type TextName = {
  [Name in keyof JobValues]: JobValues[Name] extends string ? (string extends JobValues[Name] ? Name : never) : never;
}[keyof JobValues];

/** The limits below are those of the server. */
const MAX_LINE_LENGTH = 200;
export const MAX_DESCRIPTION_LENGTH = 20_000;
const MAX_LOCATIONS = 5;
const MAX_AUTHORIZATIONS = 10;
const MAX_SKILLS = 40;

/** A job without details. */
export const EMPTY_JOB: Job = {
  isClientHidden: true,
  jobLocations: [],
  employmentTypes: [],
  workAuthorization: [],
  skills: { required: [], preferred: [] },
};

const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ');
const splitUnique = (text: string, by: RegExp) => [...new Set(text.split(by).map(oneLine).filter(Boolean))];
const linesOf = (text: string) => splitUnique(text, /\n/);
const skillsOf = (text: string) => splitUnique(text, /[,\n]/);

export const valuesOf = (job: Job): JobValues => ({
  title: job.title ?? '',
  client: job.hiringOrganization ?? '',
  isClientShown: !job.isClientHidden,
  location: locationText(job.jobLocations),
  workMode: job.workMode ?? '',
  workModeNote: job.workModeNote ?? '',
  rate: rateText(job),
  terms: job.employmentTypes,
  duration: job.duration ?? '',
  start: job.startDate ?? '',
  workAuthorization: job.workAuthorization.join('\n'),
  experience: job.experienceYears ?? '',
  required: job.skills.required.join(', '),
  preferred: job.skills.preferred.join(', '),
  interview: job.interview ?? '',
  validThrough: job.validThrough ?? '',
  jobId: job.jobId ?? '',
  description: job.description ?? '',
});

/**
 * The job from the values of the fields.
 * @param read the job from which the fields were filled; details that were not changed are taken from it
 */
export function jobOf(values: JobValues, read: Job): Job {
  const before = valuesOf(read);
  /** A detail with several values is parsed from its text only if the text was changed. */
  const kept = <T>(name: TextName, known: T, from: (text: string) => T): T =>
    values[name] === before[name] ? known : from(values[name]);
  const rate =
    values.rate === before.rate
      ? { baseSalary: read.baseSalary, rateNote: read.rateNote }
      : parsePay(oneLine(values.rate));
  const job: Job = {
    title: oneLine(values.title) || undefined,
    hiringOrganization: oneLine(values.client) || undefined,
    isClientHidden: !values.isClientShown,
    jobLocations: kept('location', read.jobLocations, parseLocations),
    workMode: values.workMode || undefined,
    workModeNote: oneLine(values.workModeNote) || undefined,
    ...rate,
    employmentTypes: [...values.terms],
    duration: oneLine(values.duration) || undefined,
    startDate: oneLine(values.start) || undefined,
    workAuthorization: kept('workAuthorization', read.workAuthorization, linesOf),
    experienceYears: oneLine(values.experience) || undefined,
    skills: {
      required: kept('required', read.skills.required, skillsOf),
      preferred: kept('preferred', read.skills.preferred, skillsOf),
    },
    interview: oneLine(values.interview) || undefined,
    validThrough: oneLine(values.validThrough) || undefined,
    jobId: oneLine(values.jobId) || undefined,
    description: values.description.trim() || undefined,
  };
  return Object.fromEntries(Object.entries(job).filter(([, value]) => value !== undefined)) as Job;
}

/** Whether no detail of a job is known. */
export const isEmptyJob = ({ isClientShown: _shown, ...details }: JobValues): boolean =>
  Object.values(details).every((value) => (typeof value === 'string' ? value.trim() === '' : value.length === 0));

export const isSameValues = (one: JobValues, other: JobValues): boolean =>
  (Object.keys(one) as (keyof JobValues)[]).every((name) => isSameValue(one, other, name));

export const isSameValue = (one: JobValues, other: JobValues, name: keyof JobValues): boolean =>
  name === 'terms' ? String(one.terms) === String(other.terms) : one[name] === other[name];

const tooMany = (items: readonly string[], max: number, what: string) =>
  items.length > max
    ? `At most ${max} ${what}`
    : tooLong(Math.max(0, ...items.map((item) => item.length)), MAX_LINE_LENGTH);
const tooLong = (length: number, max: number) => lengthHint(length, max).error;

/** Errors that the server would report, by field. */
export function errorsOf(values: JobValues): Partial<Record<TextName, string>> {
  const lines = [
    'title',
    'client',
    'workModeNote',
    'rate',
    'duration',
    'start',
    'experience',
    'interview',
    'validThrough',
    'jobId',
  ] as const;
  const found: [TextName, string | undefined][] = [
    ...lines.map((name): [TextName, string | undefined] => [
      name,
      tooLong(oneLine(values[name]).length, MAX_LINE_LENGTH),
    ]),
    ['location', tooMany(splitUnique(values.location, /[;\n]/), MAX_LOCATIONS, 'locations')],
    ['workAuthorization', tooMany(linesOf(values.workAuthorization), MAX_AUTHORIZATIONS, 'lines')],
    ['required', tooMany(skillsOf(values.required), MAX_SKILLS, 'skills')],
    ['preferred', tooMany(skillsOf(values.preferred), MAX_SKILLS, 'skills')],
    ['description', tooLong(values.description.trim().length, MAX_DESCRIPTION_LENGTH)],
  ];
  return Object.fromEntries(found.filter(([, error]) => error !== undefined));
}

const CITIZENSHIP =
  /\b(?:us ?c|gc|ead|opt|cpt|tn|l-?2|h-?1-?b?|green ?cards?|permanent residents?|(?:u\.?s\.?a?\.?|american) citizens?|citizens?(?:hip)? (?:only|required))\b/i;

/**
 * Whether a text about work authorisation names a citizenship or a visa type. The check on the last step is more
 * thorough.
 */
export const namesCitizenship = (text: string): boolean => CITIZENSHIP.test(text);
