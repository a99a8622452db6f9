import { describe, expect, it } from '@jest/globals';
import type { Job } from '../draft';
import { parseLocations, parsePay } from './job-texts';
import { errorsOf, EMPTY_JOB, isEmptyJob, jobOf, namesCitizenship, valuesOf } from './job-values';

const job: Job = {
  title: 'Sr Java Developer',
  hiringOrganization: 'Acme',
  isClientHidden: true,
  jobLocations: [
    { city: 'Hartford', region: 'CT' },
    { city: 'Winston-Salem, Old Town', region: 'NC' },
  ],
  workMode: 'hybrid',
  workModeNote: '3 days a week',
  baseSalary: { max: 65.5, unit: 'HOUR', currency: 'USD' },
  rateNote: 'all inclusive',
  employmentTypes: ['C2C', '1099'],
  duration: '12+ months',
  startDate: 'ASAP',
  workAuthorization: ['USC, GC'],
  experienceYears: '8+',
  skills: { required: ['Java (8, 11)', 'AWS'], preferred: ['Kafka'] },
  interview: 'Video',
  validThrough: 'Dec 1',
  jobId: 'R-17',
  description: 'One\n\nTwo',
};

describe('the fields of a job', () => {
  it('give back the job they were filled from, where nothing was changed', () => {
    expect(jobOf(valuesOf(job), job)).toEqual(job);
  });

  it('leave out what was emptied, and read what was changed', () => {
    const changed = jobOf(
      {
        ...valuesOf(job),
        client: ' ',
        isClientShown: true,
        location: 'Austin TX; Remote ; New York, NY',
        rate: '$120k',
        required: 'Java, , Go\nGo',
        workAuthorization: '',
      },
      job,
    );
    expect(changed).toMatchObject({
      isClientHidden: false,
      jobLocations: [{ city: 'Austin', region: 'TX' }, { city: 'Remote' }, { city: 'New York', region: 'NY' }],
      baseSalary: { min: 120_000, unit: 'YEAR', currency: 'USD' },
      skills: { required: ['Java', 'Go'], preferred: ['Kafka'] },
      workAuthorization: [],
    });
    expect(changed).not.toHaveProperty('hiringOrganization');
    expect(changed).not.toHaveProperty('rateNote');
  });

  it('are empty where only the switch says something', () => {
    const none = valuesOf(EMPTY_JOB);
    expect([isEmptyJob({ ...none, isClientShown: true }), isEmptyJob({ ...none, terms: ['W2'] })]).toEqual([
      true,
      false,
    ]);
  });

  it('say what the server would refuse', () => {
    const values = {
      ...valuesOf(EMPTY_JOB),
      title: 'x'.repeat(201),
      location: 'a;b;c;d;e;f',
      required: Array.from({ length: 41 }, (_, index) => `s${index}`).join(','),
      workAuthorization: 'y'.repeat(202),
      description: 'z'.repeat(20_001),
    };
    expect(errorsOf(values)).toEqual({
      title: 'Too long by 1 character: at most 200',
      location: 'At most 5 locations',
      required: 'At most 40 skills',
      workAuthorization: 'Too long by 2 characters: at most 200',
      description: 'Too long by 1 character: at most 20,000',
    });
    expect(errorsOf(valuesOf(job))).toEqual({});
  });
});

describe('a rate', () => {
  const per = (unit: 'HOUR' | 'YEAR', min?: number, max?: number, rateNote?: string) => ({
    baseSalary: { ...(min !== undefined && { min }), ...(max !== undefined && { max }), unit, currency: 'USD' },
    ...(rateNote && { rateNote }),
  });
  it.each([
    ['$60/hr', per('HOUR', 60)],
    ['60-65/hr all inclusive C2C', per('HOUR', 60, 65, 'all inclusive C2C')],
    ['$60.50 per hour, DOE', per('HOUR', 60.5, undefined, 'DOE')],
    ['$60+/hr', { rateNote: '$60+/hr' }],
    ['up to $65/hr', per('HOUR', undefined, 65)],
    ['$120k', per('YEAR', 120_000)],
    ['100-120k', per('YEAR', 100_000, 120_000)],
    ['$110,000 - $120,000/yr', per('YEAR', 110_000, 120_000)],
    ['60 C2C', per('HOUR', 60, undefined, 'C2C')],
    ['DOE', { rateNote: 'DOE' }],
    ['Market', { rateNote: 'Market' }],
    ['65-60/hr', { rateNote: '65-60/hr' }],
    ['9,999,999k', { rateNote: '9,999,999k' }],
    ['12/15/2026', { rateNote: '12/15/2026' }],
    ['', {}],
  ])('%p is %j', (text, rate) => {
    expect(parsePay(text)).toEqual(rate);
  });

  it('comes back as it was written', () => {
    for (const text of ['$60/hr', '$60-65/hr DOE', 'up to $65/hr', '$120,000/yr', 'Market'])
      expect(valuesOf({ ...EMPTY_JOB, ...parsePay(text) }).rate).toBe(text);
  });
});

it('a location has a city, a region or both', () => {
  expect(parseLocations('Hartford, CT; Texas;; St. Louis MO')).toEqual([
    { city: 'Hartford', region: 'CT' },
    { city: 'Texas' },
    { city: 'St. Louis', region: 'MO' },
  ]);
});

it.each([
  ['USC only', true],
  ['US citizens', true],
  ['GC, EAD or H1B', true],
  ['H-1B', true],
  ['Authorised to work in the US', false],
  ['No citizenship restriction', false],
  ['', false],
])('of %p it is said whether it names a citizenship or a visa type: %p', (text, does) => {
  expect(namesCitizenship(text)).toBe(does);
});
