import { withoutClient } from './hidden-client.js';
import { emptyJob, type Job, JOB_LIMITS } from './job.js';
import { subjectOf } from './job-words.js';
import { findDisclaimers, findSignatures } from './reading/closing-parts.js';
import { type ContactDetail, findEmails, findPhones } from './reading/contact-details.js';
import { blanked, flatten, givenSpan } from './reading/flat-text.js';
import type { Found } from './reading/found.js';
import { readAuthorization } from './reading/read-authorization.js';
import { readDeadline, readStart } from './reading/read-dates.js';
import { readDescription } from './reading/read-description.js';
import { readDuration } from './reading/read-duration.js';
import { readLocations } from './reading/read-location.js';
import { readPayRate } from './reading/read-pay-rate.js';
import { readSkills } from './reading/read-skills.js';
import { readClient, readExperience, readInterview, readJobId } from './reading/read-small-facts.js';
import { readTerms } from './reading/read-terms.js';
import { readTitle } from './reading/read-title.js';
import { readWorkMode } from './reading/read-work-mode.js';
import { type RequirementText, requirementText } from './reading/requirement-text.js';
import { splitRequirements } from './reading/split-requirements.js';
import type { Guess, JobField, LeftOut, Requirement, Span } from './requirement.js';

/** Parts of the text that no field of any requirement contains. */
interface LeftOutParts {
  emails: ContactDetail[];
  phones: ContactDetail[];
  signatures: Span[];
  disclaimers: Span[];
}

/**
 * Reads the jobs in a mailed text, by rules alone. Contact details, signatures and disclaimers are removed first, so
 * that no field can contain them. Linear in the length of the text.
 * @returns an empty array if the text describes no job
 */
export function readRequirements(given: string): Requirement[] {
  const flat = flatten(given);
  const { text } = flat;
  const emails = findEmails(text);
  const phones = findPhones(blanked(text, emails));
  const disclaimers = findDisclaimers(text);
  const signatures = findSignatures(text, [...emails, ...phones], disclaimers);
  const left: LeftOutParts = { emails, phones, signatures, disclaimers };
  const contacts: Span[] = [...emails, ...phones];
  const plain = blanked(text, [...contacts, ...signatures, ...disclaimers]);
  const leftOut = leftOutOf(left, (span) => givenSpan(flat, span));
  return splitRequirements(plain).flatMap(({ from, to }) => {
    const inside = contacts.filter((one) => one.from >= from && one.from < to);
    const { job, guesses } = readJob(
      requirementText(plain.slice(from, to)),
      inside.map((one) => ({ from: one.from - from, to: one.to - from })),
    );
    if (!tellsOfJob(guesses)) return [];
    const places = guesses.map((guess) => ({
      ...guess,
      ...givenSpan(flat, { from: guess.from + from, to: guess.to + from }),
    }));
    const { job: posted, hiddenNames } = withoutClient(job);
    return [{ job, guesses: places, leftOut, hiddenNames, subject: subjectOf(posted) }];
  });
}

/** Whether the guesses describe a job: they include a title or two facts. Skills alone do not describe a job. */
function tellsOfJob(guesses: readonly Guess[]): boolean {
  const fields = new Set(guesses.map(({ field }) => field));
  if (fields.has('title')) return true;
  for (const field of ['description', 'requiredSkills', 'preferredSkills'] as const) fields.delete(field);
  return fields.size >= 2;
}

function readJob(requirement: RequirementText, contacts: readonly Span[]): { job: Job; guesses: Guess[] } {
  const guesses: Guess[] = [];
  const take = <T>(field: JobField, found: Found<T> | null): T | undefined => {
    if (!found) return undefined;
    guesses.push({ field, confidence: found.confidence, from: found.from, to: found.to });
    return found.value;
  };
  const takeAll = <T>(field: JobField, found: readonly Found<T>[]): T[] => found.map((one) => take(field, one)!);
  const line = (field: JobField, found: Found<string> | null): string | undefined =>
    take(field, found && { ...found, value: oneLine(found.value) });
  const title = line('title', readTitle(requirement));
  const hiringOrganization = line('hiringOrganization', readClient(requirement));
  const places = readLocations(requirement);
  const mode = readWorkMode(requirement);
  // If the job is remote, a city may be the client's location or a required residence, so the user has to check both.
  const isAtOdds = mode?.value.mode === 'remote' && places.length > 0;
  const jobLocations = takeAll('jobLocations', isAtOdds ? places.map(toCheck) : places);
  const workMode = take('workMode', mode && (isAtOdds ? toCheck(mode) : mode));
  const rate = take('baseSalary', readPayRate(requirement));
  const skills = readSkills(requirement);
  const job: Job = {
    ...emptyJob(),
    title,
    hiringOrganization,
    jobLocations,
    workMode: workMode?.mode,
    workModeNote: workMode?.note && oneLine(workMode.note),
    baseSalary: rate?.salary,
    rateNote: rate?.note && oneLine(rate.note),
    employmentTypes: takeAll('employmentTypes', readTerms(requirement)),
    duration: line('duration', readDuration(requirement)),
    startDate: line('startDate', readStart(requirement)),
    workAuthorization: takeAll('workAuthorization', readAuthorization(requirement)).map(oneLine),
    experienceYears: line('experienceYears', readExperience(requirement)),
    skills: {
      required: takeAll('requiredSkills', skills.required),
      preferred: takeAll('preferredSkills', skills.preferred),
    },
    interview: line('interview', readInterview(requirement)),
    validThrough: line('validThrough', readDeadline(requirement)),
    jobId: line('jobId', readJobId(requirement)),
    description: take('description', readDescription(requirement, contacts)),
  };
  return { job, guesses };
}

const toCheck = <T>(found: Found<T>): Found<T> => ({ ...found, confidence: 'check' });

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').slice(0, JOB_LIMITS.line).toWellFormed().trim();

function leftOutOf({ emails, phones, signatures, disclaimers }: LeftOutParts, given: (span: Span) => Span): LeftOut {
  const texts = [
    ...emails.map((span) => ({ kind: 'email' as const, ...given(span) })),
    ...phones.map((span) => ({ kind: 'phone' as const, ...given(span) })),
    ...signatures.map((span) => ({ kind: 'signature' as const, ...given(span) })),
    ...disclaimers.map((span) => ({ kind: 'disclaimer' as const, ...given(span) })),
  ];
  return {
    emails: new Set(emails.map(({ key }) => key)).size,
    phones: new Set(phones.map(({ key }) => key)).size,
    signature: signatures.length > 0,
    disclaimer: disclaimers.length > 0,
    texts: texts.sort((a, b) => a.from - b.from),
  };
}
