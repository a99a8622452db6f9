/**
 * Severity of a finding. error: the server would refuse the send; warning: the sender should look at it; hint: a
 * suggestion; passed: the check found nothing.
 */
export const CHECK_LEVELS = ['error', 'warning', 'hint', 'passed'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

/** Parts of a composition that a finding can be about. */
export const CHECK_PARTS = ['subject', 'preheader', 'content'] as const;
export type CheckPart = (typeof CHECK_PARTS)[number];

/**
 * What a screen can offer for a finding: to show the text that it is about, to change links to https, or to add a
 * fallback to a merge tag.
 */
export const CHECK_FIXES = ['show', 'useHttps', 'addFallback'] as const;
export type CheckFix = (typeof CHECK_FIXES)[number];

/**
 * The text that a finding is about: offsets in UTF-16 units in the subject, the preview line or the content. In a
 * document, the offsets count the characters of `documentText`.
 */
export interface CheckPlace {
  part: CheckPart;
  from: number;
  to: number;
}

/** One row of the pre-send check. */
export interface CheckItem {
  /** Name of the check. It is the same whether the check found something or passed. */
  code: string;
  level: CheckLevel;
  /** One sentence for the sender. */
  text: string;
  /** Words or links that the finding is about, at most five. */
  words?: string[];
  /** The first text that the finding is about. */
  where?: CheckPlace;
  fix?: CheckFix;
}

/** Maximum number of words or links that an item names. */
const MAX_WORDS = 5;

/** The result of a check that found something. */
export interface Finding {
  text: string;
  words?: readonly string[];
  where?: CheckPlace;
  fix?: CheckFix;
}

/** Makes the item of one check from its finding. Without a finding, the item says that the check passed. */
export function checkItemOf(code: string, level: CheckLevel, found: Finding | null, passed: string): CheckItem {
  if (!found) return { code, level: 'passed', text: passed };
  const { text, words, where, fix } = found;
  const some = [...new Set(words ?? [])].slice(0, MAX_WORDS);
  return {
    code,
    level,
    text,
    ...(some.length > 0 && { words: some }),
    ...(where && { where }),
    ...(where && { fix: fix ?? 'show' }),
  };
}

export const placeIn = (part: CheckPart, { from, to }: { from: number; to: number }): CheckPlace => ({
  part,
  from,
  to,
});
