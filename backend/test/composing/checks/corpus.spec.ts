import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkMessage } from '../../../src/modules/composing/index.js';

interface Post {
  subject: string;
  content: string;
  flaws: string[];
  emailType: 'job-post' | 'candidate-list';
}

/**
 * Reads posts that are separated by '---'. Each has a line of its flaws if it has any, a line that marks a hotlist, the
 * subject, then the content.
 */
function readPosts(name: string): Post[] {
  const text = readFileSync(join(import.meta.dirname, 'corpus', name), 'utf8');
  return text
    .trim()
    .split(/\n---\n/)
    .map((post) => {
      const lines = post.split('\n');
      const flaws = lines[0]!.startsWith('Flaws: ') ? lines.shift()!.slice('Flaws: '.length).split(', ') : [];
      const isHotlist = lines[0] === 'Type: hotlist';
      const [subject, ...content] = isHotlist ? lines.slice(1) : lines;
      return {
        subject: subject!,
        content: content.join('\n'),
        flaws,
        emailType: isHotlist ? 'candidate-list' : 'job-post',
      };
    });
}

const foundIn = ({ subject, content, emailType }: Post): string[] =>
  checkMessage({ emailType, subject, content, preheader: '', document: null, htmlBytes: 4_000 })
    .filter(({ level }) => level !== 'passed')
    .map(({ code }) => code);

/**
 * Labelled posts in the language of recruiters. They were written for this test; people, companies and numbers are
 * invented.
 */
describe('the check over a corpus of posts', () => {
  const clean = readPosts('clean.txt');
  const flawed = readPosts('flawed.txt');

  it('has a hundred clean posts and eighty flawed ones', () => {
    expect(clean).toHaveLength(100);
    expect(flawed.length).toBeGreaterThanOrEqual(80);
  });

  it('finds 95 of 100 flaws of each kind', () => {
    const kinds = [...new Set(flawed.flatMap(({ flaws }) => flaws))];
    const missed = kinds.flatMap((kind) => {
      const having = flawed.filter(({ flaws }) => flaws.includes(kind));
      const without = having.filter((post) => !foundIn(post).includes(kind));
      return without.length > having.length * 0.05 ? without.map((post) => [kind, post.content]) : [];
    });
    expect(missed).toEqual([]);
  });

  it('finds a condition on citizenship or age, or a personal number, in at most 3 of 100 clean posts', () => {
    const named = clean.filter((post) =>
      foundIn(post).some((code) => ['citizenship', 'age', 'identifier'].includes(code)),
    );
    expect(named.slice(3).map(({ content }) => content)).toEqual([]);
  });

  it('finds nothing at all in 97 of 100 clean posts', () => {
    const raised = clean.flatMap((post) => foundIn(post).map((code) => [code, post.subject]));
    expect(raised.slice(3)).toEqual([]);
  });
});
