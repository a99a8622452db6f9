/** Start of a possible URL. */
const SCHEME = /https?:\/\//gi;
/** Characters that end a URL: blanks, control and bidirectional characters, double quotes and angle brackets. */
const ADDRESS_END = /[\s\p{Cc}"<>\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const WORD = /[\p{L}\p{N}\p{M}_]/u;
const HOST_START = /^[^/?#.:@&=,;!%()[\]{}'*~|^`\\]|^\[/u;
/** Punctuation at the end of a URL that belongs to the sentence. */
const TRAILING = new Set(['.', ',', ';', ':', '!', '?', "'"]);
const CLOSERS: Readonly<Record<string, string>> = {
  ')': '(',
  ']': '[',
  '}': '{',
  '」': '「',
  '』': '『',
  '）': '（',
  '＞': '＜',
};
const OPENERS = new Set(Object.values(CLOSERS));

/** A URL, or a text without URLs. */
export interface TextPart {
  text: string;
  isLink: boolean;
}

/**
 * Splits a text at its http and https URLs, in linear time. Punctuation and unmatched closing brackets at the end of a
 * URL belong to the text around it.
 */
export function cutAtLinks(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let done = 0;
  SCHEME.lastIndex = 0;
  for (let found = SCHEME.exec(text); found; found = SCHEME.exec(text)) {
    if (isWordBefore(text, found.index)) continue;
    ADDRESS_END.lastIndex = SCHEME.lastIndex;
    const runEnd = ADDRESS_END.exec(text)?.index ?? text.length;
    const hostStart = SCHEME.lastIndex;
    // Continues after the whole run of characters, so that none of them is scanned twice.
    SCHEME.lastIndex = runEnd;
    const end = endOfAddress(text, hostStart, runEnd);
    if (end <= hostStart || !HOST_START.test(text.slice(hostStart, hostStart + 2))) continue;
    if (found.index > done) parts.push({ text: text.slice(done, found.index), isLink: false });
    parts.push({ text: text.slice(found.index, end), isLink: true });
    done = end;
  }
  if (done < text.length) parts.push({ text: text.slice(done), isLink: false });
  return parts;
}

/** Whether a word character precedes the index: `xhttp://…` is a word and not a URL. */
function isWordBefore(text: string, index: number): boolean {
  if (index === 0) return false;
  const low = text.charCodeAt(index - 1);
  const start = index > 1 && low >= 0xdc00 && low <= 0xdfff ? index - 2 : index - 1;
  return WORD.test(text.slice(start, index));
}

/** Index at which a URL ends. Excludes trailing punctuation, and closing brackets without an opening one. */
function endOfAddress(text: string, start: number, end: number): number {
  const open = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const char = text[at]!;
    if (OPENERS.has(char)) open.set(char, (open.get(char) ?? 0) + 1);
    const opener = CLOSERS[char];
    if (opener) open.set(opener, (open.get(opener) ?? 0) - 1);
  }
  for (let at = end; at > start; at -= 1) {
    const char = text[at - 1]!;
    const opener = CLOSERS[char];
    if (opener && (open.get(opener) ?? 0) < 0) open.set(opener, open.get(opener)! + 1);
    else if (OPENERS.has(char)) open.set(char, open.get(char)! - 1);
    else if (!TRAILING.has(char)) return at;
  }
  return start;
}
