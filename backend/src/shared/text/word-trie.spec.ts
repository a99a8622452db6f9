import { describe, expect, it } from '@jest/globals';
import { WordTrie } from './word-trie.js';

const placed = (text: string) =>
  Array.from(text.matchAll(/\w+/g), ({ 0: word, index }) => ({ text: word, from: index, to: index + word.length }));

describe('phrases of several words', () => {
  const trie = new WordTrie<string>(/^[ -]{1,2}$/, (word) => word.replace(/\d$/, ''));
  trie.add(['job'], 'short');
  trie.add(['job', 'title'], 'long');
  trie.add(['job', 'title'], 'second');
  const at = (text: string, first = 0) => trie.longest(text, placed(text), first);

  it('are found as the longest one, with the value that was added first', () => {
    expect(at('job title')).toEqual({ last: 1, value: 'long' });
    expect(at('the job', 1)).toEqual({ last: 1, value: 'short' });
    expect(at('the job')).toBeNull();
  });

  it('are found only where nothing else stands between their words', () => {
    expect(at('job-title')).toEqual({ last: 1, value: 'long' });
    expect(at('job: title')).toEqual({ last: 0, value: 'short' });
  });

  it('are found by another form of a word', () => {
    expect(at('job2 title')).toEqual({ last: 1, value: 'long' });
    expect(trie.get(['job', 'title3'])).toBe('long');
    expect(trie.get(['title'])).toBeUndefined();
  });
});
