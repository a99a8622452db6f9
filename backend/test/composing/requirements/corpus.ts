import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '../../../src/modules/composing/requirements/job.js';
import type { JobField, Requirement } from '../../../src/modules/composing/requirements/requirement.js';

/**
 * The fields that a text of the corpus contains, in the wording of its file. A field that the text does not mention is
 * absent.
 */
export type Expected = Partial<Record<string, string>>;

/** One mailed text and the requirements in it. */
export interface Sample {
  name: string;
  requirements: Expected[];
  /** Addresses and numbers of the sender, which must not occur in a post. */
  sender: string[];
  text: string;
}

const FOLDER = join(import.meta.dirname, 'corpus');

/**
 * Reads the corpus. Each sample consists of a line `@@@ name`, lines `field: value` (further requirements after `+++`),
 * `---`, and the text as it was mailed.
 */
export const corpus = (): Sample[] =>
  readdirSync(FOLDER)
    .sort()
    .flatMap((file) =>
      readFileSync(join(FOLDER, file), 'utf8')
        .split(/^@@@ /m)
        .slice(1)
        .map((sample) => readSample(file, sample)),
    );

function readSample(file: string, sample: string): Sample {
  const [name, ...lines] = sample.split('\n');
  const end = lines.indexOf('---');
  const blocks = lines
    .slice(0, end)
    .join('\n')
    .split(/^\+\+\+$/m)
    .map((block) =>
      Object.fromEntries(
        block
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      ),
    );
  return {
    name: `${file.replace('.txt', '')}: ${name!}`,
    requirements: blocks,
    sender: blocks.flatMap(({ sender }) => sender?.split('; ') ?? []),
    text: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

/** The requirement that was read, in the format of the corpus. */
export function said({ job }: Requirement): Record<string, string[]> {
  return {
    title: one(job.title),
    location: job.jobLocations.map(({ city, region }) => [city, region].filter(Boolean).join(', ')),
    rate: rateOf(job),
    duration: one(job.duration),
    mode: one(job.workMode),
    terms: job.employmentTypes,
    auth: job.workAuthorization,
    client: one(job.hiringOrganization),
    jobid: one(job.jobId),
    exp: one(job.experienceYears),
    start: one(job.startDate),
    required: job.skills.required,
    preferred: job.skills.preferred,
  };
}

const one = (value: string | undefined): string[] => (value === undefined ? [] : [value]);

function rateOf({ baseSalary, rateNote }: Job): string[] {
  if (!baseSalary) return one(rateNote);
  const { min, max, unit } = baseSalary;
  if (min === undefined) return [`up to ${max} ${unit}`];
  return [`${min}${max === undefined ? '' : `-${max}`} ${unit}`];
}

/** The values that a sample expects of a field. */
export function wanted(expected: Expected, field: string): string[] {
  const value = expected[field];
  if (value === undefined || value === '') return [];
  if (field === 'location' || field === 'auth') return value.split('; ');
  return ['terms', 'required', 'preferred'].includes(field) ? value.split(', ') : [value];
}

const plain = (value: string): string =>
  value
    .toLowerCase()
    .replace(/[.\s]+/g, ' ')
    .trim();

export const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.map(plain).sort().join('|') === b.map(plain).sort().join('|');

/** The field of the corpus that each field of a guess corresponds to. */
export const FIELD_OF_GUESS: Partial<Record<JobField, string>> = {
  title: 'title',
  hiringOrganization: 'client',
  jobLocations: 'location',
  workMode: 'mode',
  baseSalary: 'rate',
  employmentTypes: 'terms',
  duration: 'duration',
  startDate: 'start',
  workAuthorization: 'auth',
  experienceYears: 'exp',
  requiredSkills: 'required',
  preferredSkills: 'preferred',
  jobId: 'jobid',
};
