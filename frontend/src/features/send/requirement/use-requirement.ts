import { useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import type { Draft, DraftChange, Job } from '../draft';
import { bodyOfTemplate, hasTypedText } from '../composition/templates';
import { MAX_REQUIREMENT_LENGTH, useRequirementCalls, type JobPost, type Requirement } from './api';
import { EMPTY_JOB, errorsOf, isEmptyJob, isSameValues, jobOf, valuesOf, type JobValues } from './job-values';
import { requirementMessages as texts } from './messages';

/** One of the requirements in a text, with the user's corrections. */
export interface Entry {
  requirement: Requirement;
  values: JobValues;
  /** The subject as typed; null for the suggested one. */
  subject: string | null;
  suggested: string;
  /** Names of the client in the job, which the post hides. */
  hiddenNames: readonly string[];
  /** The job for which the subject was last suggested. */
  suggestedFor: string;
}

/** A text that was read. */
export interface Reading {
  text: string;
  entries: readonly Entry[];
  at: number;
  isNothing: boolean;
}

/** Questions that are asked before an action. */
export type RequirementQuestion =
  | { about: 'text' }
  /** The job post would replace content or a subject that the user typed. */
  | { about: 'content' | 'subject'; post: JobPost };

const UNKNOWN: Requirement = {
  job: EMPTY_JOB,
  guesses: [],
  leftOut: { emails: 0, phones: 0, signature: false, disclaimer: false, texts: [] },
  hiddenNames: [],
  subject: '',
};

const entryOf = (requirement: Requirement): Entry => {
  const values = valuesOf(requirement.job);
  const { subject: suggested, hiddenNames, job } = requirement;
  return { requirement, values, subject: null, suggested, hiddenNames, suggestedFor: keyOf(jobOf(values, job)) };
};
const keyOf = (job: Job) => JSON.stringify(job);
const jobOfEntry = ({ values, requirement }: Entry) => jobOf(values, requirement.job);
const isCorrected = ({ values, requirement, subject }: Entry) =>
  subject !== null || !isSameValues(values, valuesOf(requirement.job));

interface RequirementOptions {
  /** Returns the current draft. */
  current: () => Draft;
  /** Puts the job post into the draft. */
  onUse: (change: DraftChange) => void;
}

/** State of the dialog: the pasted text, the requirements read from it, and the actions. */
export function useRequirement({ current, onUse }: RequirementOptions) {
  const calls = useRequirementCalls();
  const [text, setText] = useState('');
  const [reading, setReading] = useState<Reading | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // The last question is kept, so that its dialog fades out unchanged.
  const [question, setQuestion] = useState<RequirementQuestion | null>(null);
  const [isAsking, setAsking] = useState(false);
  const ask = (next: RequirementQuestion) => {
    setQuestion(next);
    setAsking(true);
  };
  const entry = reading?.entries[reading.at];

  const run = async (work: () => Promise<void>, fallback: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(errorMessage(error, fallback));
    } finally {
      setBusy(false);
    }
  };
  const changeAt = (at: number, change: (entry: Entry) => Entry) =>
    setReading(
      (now) => now && { ...now, entries: now.entries.map((one, index) => (index === at ? change(one) : one)) },
    );
  const changeEntry = (change: (entry: Entry) => Entry) => {
    setFailure(null);
    if (reading) changeAt(reading.at, change);
  };
  /** Fetches subject and hidden names of the post for a corrected job. An error is shown only when the post is used. */
  const suggest = async (next: Entry, at: number) => {
    if (isEmptyJob(next.values) || Object.keys(errorsOf(next.values)).length > 0) return;
    const job = jobOfEntry(next);
    const suggestedFor = keyOf(job);
    if (suggestedFor === next.suggestedFor) return;
    changeAt(at, (now) => ({ ...now, suggestedFor }));
    const post = await calls.compose(job).catch(() => null);
    if (!post) return;
    const { subject: suggested, hiddenNames } = post;
    // Ignores the answer if the job was corrected again meanwhile.
    changeAt(at, (now) => (now.suggestedFor === suggestedFor ? { ...now, suggested, hiddenNames } : now));
  };
  const fill = ({ subject, document }: JobPost, withSubject: boolean) => {
    setAsking(false);
    if (!entry) return;
    onUse({
      ...bodyOfTemplate({ document }, current().document === null),
      job: jobOfEntry(entry),
      ...(withSubject && subject && { subject }),
    });
  };
  const askSubject = (post: JobPost) => {
    const typed = current().subject.trim();
    if (typed === '' || post.subject === '' || typed === post.subject) fill(post, true);
    else ask({ about: 'subject', post });
  };
  return {
    text,
    setText: (typed: string) => {
      setFailure(null);
      setText(typed);
    },
    isTooLong: text.length > MAX_REQUIREMENT_LENGTH,
    reading,
    entry,
    isBusy,
    failure,
    question,
    isAsking,
    stopAsking: () => setAsking(false),
    isEdited: reading?.entries.some(isCorrected) ?? false,
    canUse: entry !== undefined && !isEmptyJob(entry.values),
    /** Reads the text. */
    read: () =>
      run(async () => {
        const found = await calls.read(text);
        setReading({
          text,
          entries: (found.length > 0 ? found : [UNKNOWN]).map(entryOf),
          at: 0,
          isNothing: found.length === 0,
        });
      }, texts.readFailed),
    pick: (at: number) => {
      setFailure(null);
      setReading((now) => now && { ...now, at });
    },
    change: (change: Partial<JobValues>) => {
      changeEntry((now) => ({ ...now, values: { ...now.values, ...change } }));
      // A switch is a complete correction at once, whereas a text field is complete when it loses the focus.
      if (entry && reading && change.isClientShown !== undefined)
        void suggest({ ...entry, values: { ...entry.values, ...change } }, reading.at);
    },
    changeSubject: (subject: string) => changeEntry((now) => ({ ...now, subject })),
    /** Suggests another subject if the job was corrected. */
    refreshSubject: async () => {
      if (entry && reading) await suggest(entry, reading.at);
    },
    /** Makes the job post. Asks before it replaces what the user typed. */
    use: () =>
      run(async () => {
        if (!entry) return;
        const composed = await calls.compose(jobOfEntry(entry));
        const post = { ...composed, subject: (entry.subject ?? composed.subject).trim() };
        if (hasTypedText(current())) ask({ about: 'content', post });
        else askSubject(post);
      }, texts.composeFailed),
    replaceContent: askSubject,
    fill,
    /** Goes back to the text. Asks if corrections would be lost by reading it again. */
    editText: () => {
      setFailure(null);
      if (reading?.entries.some(isCorrected)) ask({ about: 'text' });
      else setReading(null);
    },
    discardReading: () => {
      setAsking(false);
      setReading(null);
    },
  };
}

export type RequirementState = ReturnType<typeof useRequirement>;

/** The subject of the post. */
export const subjectOf = ({ subject, suggested }: Entry) => subject ?? suggested;
