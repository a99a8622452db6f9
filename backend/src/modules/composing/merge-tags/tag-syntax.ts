import { joinTexts, type Piece, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { cleanValue } from '../../../shared/merge-tags/values.js';

/**
 * Text in double braces that may be a tag with a fallback. Its length is limited, so that reading takes linear time.
 */
const BRACES = /\{\{([^{}\r\n]{1,320})\}\}/g;
const TAG = /^[ \t\u00a0]*([a-z][a-z0-9_.]{0,59})[ \t\u00a0]*(?:\|(.*))?$/;
/** The Liquid filter that gives a fallback: `default: "there"`. */
const LIQUID_DEFAULT = /^[ \t\u00a0]*default[ \t\u00a0]*:[ \t\u00a0]*(["'“”‘’])(.*)["'“”‘’][ \t\u00a0]*$/;

/** Splits a text at its merge tags, whether known or not. Other text in double braces remains text. */
export function readTags(text: string): Piece[] {
  return joinTexts(text.split(BRACES).map((part, i) => (i % 2 === 0 ? part : (tagOf(part) ?? `{{${part}}}`))));
}

/** A merge tag in a text, with the offsets of its typed form. */
export interface PlacedTag extends TagPiece {
  from: number;
  to: number;
}

/** The merge tags of a text, as `readTags` reads them, with their offsets. */
export function placedTags(text: string): PlacedTag[] {
  return [...text.matchAll(BRACES)].flatMap(({ 0: typed, 1: inner, index }) => {
    const piece = tagOf(inner!);
    return piece ? [{ ...piece, from: index, to: index + typed.length }] : [];
  });
}

/** Whether a text contains a merge tag. */
export const holdsTag = (text: string): boolean => readTags(text).some((piece) => typeof piece !== 'string');

function tagOf(inner: string): TagPiece | null {
  const found = TAG.exec(inner);
  if (!found) return null;
  const [, tag, rest = ''] = found;
  return { tag: tag!, fallback: fallbackOf(LIQUID_DEFAULT.exec(rest)?.[2] ?? rest) };
}

/**
 * Cleans a fallback in the same way as a value.
 * @returns the fallback in its stored form; null if nothing remains
 */
export const fallbackOf = (text: string | null): string | null => cleanValue(text ?? '') || null;
