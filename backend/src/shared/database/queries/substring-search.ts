/**
 * Maximum number of rows among which a search for a part of a text may read all texts without the trigram index; this
 * takes milliseconds.
 */
export const MAX_SCANNED_ROWS = 20_000;

/** Matches texts that contain at least one trigram; the trigram index cannot find other texts. */
const TRIGRAM = /[\p{L}\p{N}]{3}|[\p{L}\p{N}]{2}[^\p{L}\p{N}]|[^\p{L}\p{N}][\p{L}\p{N}]/u;

/** Whether the trigram index can be used to search for this text. */
export const hasTrigram = (text: string): boolean => TRIGRAM.test(text);
