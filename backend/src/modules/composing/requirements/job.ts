export const WORK_MODES = ['remote', 'hybrid', 'onsite'] as const;
export type WorkMode = (typeof WORK_MODES)[number];

export const EMPLOYMENT_TYPES = ['C2C', 'W2', '1099', 'FULL_TIME'] as const;
export type EmploymentType = (typeof EMPLOYMENT_TYPES)[number];

export const SALARY_UNITS = ['HOUR', 'YEAR'] as const;
export type SalaryUnit = (typeof SALARY_UNITS)[number];

/** Limits of a job: characters of its texts, and numbers of items. */
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

/** Pay in US dollars. A single amount has `min` only, "up to" has `max` only. */
export interface JobSalary {
  min?: number;
  max?: number;
  unit: SalaryUnit;
  currency: 'USD';
}

/** A job posting. Parts that schema.org's JobPosting has too are named as there. Absent parts are unknown. */
export interface Job {
  title?: string;
  hiringOrganization?: string;
  /** Whether the post leaves out the hiring organization. */
  isClientHidden: boolean;
  jobLocations: JobLocation[];
  workMode?: WorkMode;
  /** Details of the work mode, such as "3 days a week". */
  workModeNote?: string;
  baseSalary?: JobSalary;
  /** Words instead of an amount, or in addition to it: "DOE", "Market". */
  rateNote?: string;
  employmentTypes: EmploymentType[];
  duration?: string;
  startDate?: string;
  /** As written in the requirement, never restricted further. */
  workAuthorization: string[];
  experienceYears?: string;
  skills: { required: string[]; preferred: string[] };
  interview?: string;
  validThrough?: string;
  jobId?: string;
  /** Duties and other text; the only part with line breaks. */
  description?: string;
}

/** A job about which nothing is known. */
export const emptyJob = (): Job => ({
  isClientHidden: true,
  jobLocations: [],
  employmentTypes: [],
  workAuthorization: [],
  skills: { required: [], preferred: [] },
});

/** The job with its parts in a fixed order and without absent ones: equal jobs give equal JSON. */
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
