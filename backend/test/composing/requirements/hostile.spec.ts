import { describe, expect, it } from '@jest/globals';
import { composeRequirement } from '../../../src/modules/composing/requirements/compose-requirement.js';
import { readRequirements } from '../../../src/modules/composing/requirements/read-requirements.js';
import { randomOf } from '../../faults/kit/random.js';
import { corpus } from './corpus.js';

const LONGEST = 50_000;
const fill = (part: string): string => part.repeat(Math.ceil(LONGEST / part.length)).slice(0, LONGEST);

/** Reads a text and composes posts. Every guess must name a range within the text. */
function expectRead(text: string): void {
  const started = performance.now();
  for (const { guesses, job, leftOut } of readRequirements(text)) {
    for (const { from, to } of [...guesses, ...leftOut.texts]) {
      expect(from).toBeGreaterThanOrEqual(0);
      expect(from).toBeLessThan(to);
      expect(to).toBeLessThanOrEqual(text.length);
    }
    composeRequirement(job);
  }
  const ms = Math.round(performance.now() - started);
  if (ms > 200) console.warn(`${text.slice(0, 20)}: ${ms} ms`);
}

describe('reading a requirement', () => {
  it.each([
    ['spaces', ' '],
    ['tabs and spaces', ' \t '],
    ['line ends', '\n'],
    ['braces', '{'],
    ['bars', '| '],
    ['dashes', ' - '],
    ['labels', 'Role: '],
    ['labels in lines', 'Location:\n'],
    ['titles', 'Java Developer, '],
    ['money', '$60/hr '],
    ['digits', '5'],
    ['digits and dots', '555.'],
    ['at signs', 'a@'],
    ['addresses', 'a@b.example '],
    ['skills', 'Java, Go, R / '],
    ['dots', '.'],
    ['words of one letter', 'a '],
    ['zero width', 'a\u200b'],
    ['right to left', '\u202e'],
    ['lone surrogates', '\ud800'],
    ['emoji', '🔥'],
    ['lists', '1) Java Developer - Dallas, TX - remote\n'],
    ['html', '<div class="x">Role: Java</div>'],
    ['disclaimers', 'Disclaimer: confidential. '],
    ['months', '12+ months '],
    ['visas', 'no H1B, '],
  ])('of nothing but %s ends, and points into the text', (_name, part) => expectRead(fill(part)));

  it('of pieces of mails in any order ends, and points into the text', () => {
    const lines = corpus().flatMap(({ text }) => text.split('\n'));
    const random = randomOf(20261127);
    const joints = ['\n', ' ', '\t', ' | ', '\n\n', ', ', '\u200b'];
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!;
    for (let n = 0; n < 1_000; n += 1) {
      const count = 1 + Math.floor(random() * 30);
      expectRead(Array.from({ length: count }, () => pick(lines) + pick(joints)).join(''));
    }
  });

  it('reads a text of one line of 40,000 characters', () => {
    const [{ job } = { job: null }] = readRequirements(
      `Role: Java Developer Location: Dallas, TX ${'word '.repeat(8_000)}`,
    );
    expect(job?.title).toBe('Java Developer');
  });

  it('takes markup as words', () => {
    const [{ job } = { job: null }] = readRequirements(
      'Role: Java Developer <b>\nClient: javascript:alert(1)\nLocation: Dallas, TX',
    );
    const { document } = composeRequirement({ ...job!, isClientHidden: false });
    expect(JSON.stringify(document)).not.toContain('"link"');
  });
});
