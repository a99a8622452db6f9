import type { Job, JobLocation, JobSalary, WorkMode } from './job.js';

const MODE_WORDS: Readonly<Record<WorkMode, string>> = { remote: 'Remote', hybrid: 'Hybrid', onsite: 'Onsite' };
const TERM_WORDS = { C2C: 'C2C', W2: 'W2', '1099': '1099', FULL_TIME: 'Full time' } as const;
const SUBJECT_LENGTH = 255;

/** A place in words, such as "Hartford, CT". */
export const placeWords = ({ city, region }: JobLocation): string => [city, region].filter(Boolean).join(', ');

/** The places of work in words, such as "Hartford, CT or Dallas, TX"; empty if no place is known. */
export const placesWords = ({ jobLocations }: Job, between = ' or '): string =>
  jobLocations.map(placeWords).filter(Boolean).join(between);

/** The work mode in words, such as "Hybrid, 3 days a week". */
export const modeWords = ({ workMode, workModeNote }: Job): string =>
  [workMode && MODE_WORDS[workMode], workModeNote].filter(Boolean).join(', ');

/** The employment types in words, such as "C2C, W2". */
export const termsWords = ({ employmentTypes }: Job, between = ', '): string =>
  employmentTypes.map((one) => TERM_WORDS[one]).join(between);

/** The pay in words, such as "$60-65/hr", "$120k/yr", "Up to $70/hr" or "DOE". */
export const rateWords = ({ baseSalary, rateNote }: Job): string =>
  [baseSalary && salaryWords(baseSalary), rateNote].filter(Boolean).join(', ');

function salaryWords({ min, max, unit }: JobSalary): string {
  const per = unit === 'HOUR' ? '/hr' : '/yr';
  const isThousands = unit === 'YEAR' && [min, max].every((one) => one === undefined || (one > 0 && one % 1000 === 0));
  const words = (amount: number): string =>
    isThousands ? String(amount / 1000) : amount.toLocaleString('en-US', { maximumFractionDigits: 2 });
  const end = isThousands ? `k${per}` : per;
  if (min !== undefined && max !== undefined && min !== max) return `$${words(min)}-${words(max)}${end}`;
  if (min !== undefined) return `$${words(min)}${end}`;
  return max === undefined ? '' : `Up to $${words(max)}${end}`;
}

/**
 * The subject of a post, such as "Sr Java Developer | Hartford, CT (Hybrid) | $60/hr C2C | 12+ months"; unknown parts
 * are omitted.
 */
export function subjectOf(job: Job): string {
  const places = placesWords(job, ' / ');
  const mode = job.workMode ? MODE_WORDS[job.workMode] : '';
  const where = places && mode ? `${places} (${mode})` : places || mode;
  const pay = [rateWords(job), termsWords(job, '/')].filter(Boolean).join(' ');
  const subject = [job.title, where, pay, job.duration].filter(Boolean).join(' | ');
  return subject.length > SUBJECT_LENGTH
    ? `${subject
        .slice(0, SUBJECT_LENGTH - 1)
        .toWellFormed()
        .trimEnd()}…`
    : subject;
}
