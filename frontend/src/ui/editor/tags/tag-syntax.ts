// The same syntax as the server's; test/merge-tags.json tests both.
const BRACES = /\{\{([^{}\r\n]{1,320})\}\}/g;
const TAG = /^[ \t\u00a0]*([a-z][a-z0-9_.]{0,59})[ \t\u00a0]*(?:\|(.*))?$/;
/** Liquid's filter that sets a fallback. */
const LIQUID_DEFAULT = /^[ \t\u00a0]*default[ \t\u00a0]*:[ \t\u00a0]*["'“”‘’](.*)["'“”‘’][ \t\u00a0]*$/;
/** Control, private-use and bidirectional characters. */
const UNWANTED_CHARACTERS =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Co}\p{Cs}]+/gu;
const MAX_FALLBACK_LENGTH = 200;

/** Two braces with their content at the end of the typed text. */
export const BRACES_AT_END = new RegExp(`${BRACES.source}$`);

export interface WrittenTag {
  tag: string;
  fallback: string | null;
  /** Index in the text. */
  from: number;
  to: number;
}

/**
 * The merge tag between two braces.
 * @returns null if the text is not a merge tag
 */
export function tagWithin(braces: string): { tag: string; fallback: string | null } | null {
  const found = TAG.exec(braces);
  if (!found) return null;
  const [, tag = '', rest = ''] = found;
  return { tag, fallback: fallbackOf(LIQUID_DEFAULT.exec(rest)?.[1] ?? rest) };
}

/** The merge tags of a text. */
export const tagsIn = (text: string): WrittenTag[] =>
  [...text.matchAll(BRACES)].flatMap((match) => {
    const found = tagWithin(match[1] ?? '');
    return found ? [{ ...found, from: match.index, to: match.index + match[0].length }] : [];
  });

/** Converts a fallback to the form that the server stores. */
const fallbackOf = (written: string): string | null =>
  written
    .replace(UNWANTED_CHARACTERS, '')
    .replace(/[\s\u0085]+/g, ' ')
    .trim()
    .slice(0, MAX_FALLBACK_LENGTH)
    .trimEnd() || null;

/** Removes line breaks and the characters of the syntax from a fallback. */
export const cleanFallback = (typed: string): string | null =>
  typed
    .replace(/[{}|"\s]+/g, ' ')
    .trim()
    .slice(0, 100) || null;
