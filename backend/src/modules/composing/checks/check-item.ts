/** How much a finding matters: the server would refuse the send; look at it; a hint; nothing was found. */
export const CHECK_LEVELS = ['error', 'warning', 'hint', 'passed'] as const;
export type CheckLevel = (typeof CHECK_LEVELS)[number];

/** Parts of a composition that a finding is about. */
export const CHECK_PARTS = ['subject', 'preheader', 'content'] as const;
export type CheckPart = (typeof CHECK_PARTS)[number];

/** What a screen can do about a finding: lead to it, make links https, lead to a merge tag that needs a fallback. */
export const CHECK_FIXES = ['show', 'useHttps', 'addFallback'] as const;
export type CheckFix = (typeof CHECK_FIXES)[number];

/**
 * Where a finding is: characters (UTF-16 units) of the subject, of the preview line, or of the content. In a document they count
 * `documentText`.
 */
export interface CheckPlace {
  part: CheckPart;
  from: number;
  to: number;
}

/** One row of the pre-send check. */
export interface CheckItem {
  /** Names the check, the same whether it found something or passed. */
  code: string;
  level: CheckLevel;
  /** One sentence for the sender. */
  text: string;
  /** The words in question, at most five. */
  words?: string[];
  /** The first place that it is about. */
  where?: CheckPlace;
  fix?: CheckFix;
}
