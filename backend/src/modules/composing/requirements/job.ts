export const WORK_MODES = ['remote', 'hybrid', 'onsite'] as const;
export type WorkMode = (typeof WORK_MODES)[number];

export const EMPLOYMENT_TYPES = ['C2C', 'W2', '1099', 'FULL_TIME'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export const SALARY_UNITS = ['HOUR', 'YEAR'] as const;
export type SalaryUnit = (typeof SALARY_UNITS)[number];

/** Most characters and items of a job's parts. */
export const JOB_LIMITS = {
  line: 200,
  description: 20_000,
  locations: 5,
  authorizations: 10,
  skills: 40,
  salary: 10_000_000,
} as const;

export interface JobLocation {
  city?: string;
  region?: string;
}

/** One amount has `min` only, "up to" has `max` only. */
export interface JobSalary {
  min?: number;
  max?: number;
  unit: SalaryUnit;
  currency: 'USD';
}

/** A job posting, with the names of schema.org's JobPosting where that has them. Absent: unknown. */
export interface Job {
  title?: string;
  hiringOrganization?: string;
  /** Whether the post leaves out who hires. */
  isClientHidden: boolean;
  jobLocations: JobLocation[];
  workMode?: WorkMode;
  /** What was said beside the mode, such as "3 days a week". */
  workModeNote?: string;
  baseSalary?: JobSalary;
  /** Words in the place of a number, or beside it: "DOE", "Market". */
  rateNote?: string;
  employmentTypes: EmploymentType[];
  duration?: string;
  startDate?: string;
  /** As written; nothing is added or tightened. */
  workAuthorization: string[];
  experienceYears?: string;
  skills: { required: string[]; preferred: string[] };
  interview?: string;
  validThrough?: string;
  jobId?: string;
  /** The only part with line breaks. */
  description?: string;
}

/** A job that says nothing yet. */
export const emptyJob = (): Job => ({
  isClientHidden: true,
  jobLocations: [],
  employmentTypes: [],
  workAuthorization: [],
  skills: { required: [], preferred: [] },
});

/** The job with its parts in one order and without absent ones: equal jobs give equal JSON. */
export function canonicalJob(job: Job): Job {
  return compact({
    title: job.title,
    hiringOrganization: job.hiringOrganization,
    isClientHidden: job.isClientHidden,
    jobLocations: job.jobLocations.map(({ city, region }) => compact({ city, region })),
    workMode: job.workMode,
    workModeNote: job.workModeNote,
    baseSalary: job.baseSalary && canonicalSalary(job.baseSalary),
    rateNote: job.rateNote,
    employmentTypes: [...job.employmentTypes],
    duration: job.duration,
    startDate: job.startDate,
    workAuthorization: [...job.workAuthorization],
    experienceYears: job.experienceYears,
    skills: { required: [...job.skills.required], preferred: [...job.skills.preferred] },
    interview: job.interview,
    validThrough: job.validThrough,
    jobId: job.jobId,
    description: job.description,
  });
}

const canonicalSalary = ({ min, max, unit, currency }: JobSalary): JobSalary => compact({ min, max, unit, currency });

const compact = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as T;
