import { describe, expect, it } from '@jest/globals';
import { composeRequirement } from '../../../src/modules/composing/requirements/compose-requirement.js';
import { readRequirements } from '../../../src/modules/composing/requirements/read-requirements.js';
import type { Requirement } from '../../../src/modules/composing/requirements/requirement.js';
import { corpus, type Expected, FIELD_OF_GUESS, isSame, said, wanted } from './corpus.js';

const samples = corpus();
const read = samples.map((sample) => ({ sample, found: readRequirements(sample.text) }));

/** Each expected requirement, with the requirement that was read at the same index in its text. */
const pairs = read.flatMap(({ sample, found }) =>
  sample.requirements.map((expected, n) => ({ name: `${sample.name} ${n + 1}`, expected, got: found[n] })),
);
const gotOf = (got: Requirement | undefined, field: string): string[] => (got ? (said(got)[field] ?? []) : []);

/**
 * Compares a field over all requirements for which it is expected or was read.
 * @returns the share that was read correctly, and the other requirements
 */
function rightOf(field: string): { share: number; wrong: string[] } {
  const about = pairs.filter(({ expected, got }) => wanted(expected, field).length > 0 || gotOf(got, field).length > 0);
  const wrong = about
    .filter(({ expected, got }) => !isSame(wanted(expected, field), gotOf(got, field)))
    .map(
      ({ name, expected, got }) => `${name}: ${wanted(expected, field).join(', ')} / ${gotOf(got, field).join(', ')}`,
    );
  return { share: 1 - wrong.length / about.length, wrong };
}

function expectShare(field: string, least: number): void {
  const { share, wrong } = rightOf(field);
  expect({ field, isEnough: share >= least, ...(share < least && { share, wrong }) }).toEqual({
    field,
    isEnough: true,
  });
}

const isRight = (expected: Expected, got: Requirement, field: string): boolean => {
  const allowed = new Set(wanted(expected, field).map((one) => one.toLowerCase()));
  return field === 'required' || field === 'preferred' || field === 'terms'
    ? gotOf(got, field).every((one) => allowed.has(one.toLowerCase()))
    : isSame(wanted(expected, field), gotOf(got, field));
};

describe('reading the corpus of mailed requirements', () => {
  it('has as many samples as the goals are measured on', () => expect(samples.length).toBeGreaterThanOrEqual(80));

  it('finds as many requirements in each text as it holds', () => {
    const counts = read.map(({ sample, found }) => `${sample.name}: ${found.length}`);
    expect(counts).toEqual(samples.map(({ name, requirements }) => `${name}: ${requirements.length}`));
  });

  it('reads 95 % of the titles', () => expectShare('title', 0.95));

  it.each(['location', 'rate', 'duration', 'mode', 'auth'])('reads 90 % of what is said of %s', (field) =>
    expectShare(field, 0.9),
  );

  it('reads skills with an F1 of 0.80', () => {
    let [right, got, all] = [0, 0, 0];
    const faults: string[] = [];
    for (const { name, expected, got: requirement } of pairs)
      for (const field of ['required', 'preferred']) {
        const want = wanted(expected, field).map((one) => one.toLowerCase());
        const has = gotOf(requirement, field).map((one) => one.toLowerCase());
        const both = has.filter((one) => want.includes(one));
        right += both.length;
        got += has.length;
        all += want.length;
        if (both.length < has.length || both.length < want.length)
          faults.push(
            `${name} ${field}: ${want.filter((one) => !has.includes(one)).join(', ')} / ${has.filter((one) => !want.includes(one)).join(', ')}`,
          );
      }
    const f1 = (2 * right) / (got + all);
    expect({ isEnough: f1 >= 0.8, ...(f1 < 0.8 && { f1, faults }) }).toEqual({ isEnough: true });
  });

  it('is right in 98 % of the guesses that it calls sure', () => {
    const sure = pairs.flatMap(({ name, expected, got }) =>
      (got?.guesses ?? [])
        .filter(({ confidence, field }) => confidence === 'sure' && FIELD_OF_GUESS[field])
        .map(({ field, from, to }) => ({ name, expected, got: got!, field: FIELD_OF_GUESS[field]!, from, to })),
    );
    const wrong = sure
      .filter(({ expected, got, field }) => !isRight(expected, got, field))
      .map(
        ({ name, field, expected, got }) =>
          `${name} ${field}: ${wanted(expected, field).join(', ')} / ${gotOf(got, field).join(', ')}`,
      );
    const share = 1 - wrong.length / sure.length;
    expect({ isEnough: share >= 0.98, ...(share < 0.98 && { share, wrong }) }).toEqual({ isEnough: true });
  });

  it('leaves every address and number of the senders out of the posts', () => {
    const leaks = read.flatMap(({ sample, found }) =>
      found.flatMap(({ job, subject }) => {
        const post = JSON.stringify(composeRequirement({ ...job, isClientHidden: false })) + subject;
        const digits = post.replace(/\D/g, '');
        return sample.sender
          .filter((one) =>
            one.includes('@')
              ? post.toLowerCase().includes(one.toLowerCase())
              : digits.includes(one.replace(/\D/g, '')),
          )
          .map((one) => `${sample.name}: ${one}`);
      }),
    );
    expect(leaks).toEqual([]);
  });

  it('names no hidden client in a post, in whatever case, with or without its legal form', () => {
    const named = pairs.filter(({ expected, got }) => expected.client !== undefined && got !== undefined);
    const leaks = named.flatMap(({ name, expected, got }) => {
      const { subject, document } = composeRequirement(got!.job);
      const post = [subject, got!.subject, JSON.stringify(document)].join('\n').toLowerCase();
      const bare = expected.client!.replace(/,? (?:Inc|LLC|Corp)\.?$/, '');
      // "Oracle" and "target" also occur as a skill and as a word, so a client with a name of one word is searched with
      // the words around it.
      const names = bare.includes(' ') ? [bare] : [expected.client!, `at ${bare}`, `${bare} is looking`];
      return names
        .filter((one) => post.includes(one.toLowerCase()) && one.includes(' '))
        .map((one) => `${name}: ${one}`);
    });
    expect(leaks).toEqual([]);
    expect(named.length).toBeGreaterThanOrEqual(7);
  });

  it('tells how the client was named where the post hides it', () => {
    const told = (about: string): string[] =>
      pairs.find(({ name }) => name.startsWith(`clients: ${about}`))?.got?.hiddenNames ?? [];
    expect(told('client in the description')).toEqual([
      'https://careers.riverbankinsurance.example/jobs/77',
      'Riverbank Insurance, Inc.',
      'RIVERBANK INSURANCE',
      'Riverbank',
    ]);
    expect(told('client that is a skill')).toEqual(['Oracle Corp.']);
    expect(told('client with an ampersand')).toEqual(['Barlow and Finch', 'Barlow & Finch, L.L.C.']);
  });

  it('counts what it leaves out', () => {
    const missed = read
      .filter(({ sample, found }) => {
        const { emails = 0, phones = 0 } = found[0]?.leftOut ?? {};
        const isEmail = (one: string): boolean => one.includes('@');
        return (
          emails < sample.sender.filter(isEmail).length || phones < sample.sender.filter((one) => !isEmail(one)).length
        );
      })
      .map(({ sample }) => sample.name);
    expect(missed).toEqual([]);
  });

  it('points each guess at a part of the text as it was sent', () => {
    for (const { sample, found } of read)
      for (const { guesses } of found)
        for (const { from, to } of guesses) {
          expect(from).toBeLessThan(to);
          expect(to).toBeLessThanOrEqual(sample.text.length);
          expect(sample.text.slice(from, to)).toMatch(/\S/);
        }
  });
});
