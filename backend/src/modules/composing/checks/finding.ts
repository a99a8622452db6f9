import type { CheckFix, CheckItem, CheckLevel, CheckPart, CheckPlace } from './check-item.js';

const MOST_WORDS = 5;

/** What one check found. */
export interface Finding {
  text: string;
  words?: readonly string[];
  where?: CheckPlace;
  fix?: CheckFix;
}

/** The item of one check: what it found, or that it passed. */
export function row(code: string, level: CheckLevel, found: Finding | null, passed: string): CheckItem {
  if (!found) return { code, level: 'passed', text: passed };
  const { text, words, where, fix } = found;
  const some = [...new Set(words ?? [])].slice(0, MOST_WORDS);
  return {
    code,
    level,
    text,
    ...(some.length > 0 && { words: some }),
    ...(where && { where }),
    ...(where && { fix: fix ?? 'show' }),
  };
}

export const at = (part: CheckPart, { from, to }: { from: number; to: number }): CheckPlace => ({ part, from, to });
