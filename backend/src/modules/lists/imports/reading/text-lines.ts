import { EventLoopYielder } from '../../../../shared/lifecycle/event-loop-yielder.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Splits a decoded text into lines at any kind of line end, and keeps at most `longest` characters of each. Drops byte
 * order marks at the beginning of lines, which remain when files are joined.
 */
export async function* linesOf(texts: AsyncIterable<string>, longest: number): AsyncGenerator<string, void, void> {
  let text = '';
  let endedInReturn = false;
  const yielder = new EventLoopYielder();
  const keep = (part: string) => {
    const room = longest - text.length;
    if (room > 0) text += part.length > room ? part.slice(0, room) : part;
  };
  for await (const piece of texts) {
    // The line end before this piece may be the first half of a CRLF.
    let from: number = endedInReturn && piece.startsWith('\n') ? 1 : 0;
    if (piece.length > 0) endedInReturn = false;
    for (const { 0: end, index } of piece.matchAll(/\r\n|\r|\n/g)) {
      if (index < from) continue;
      keep(piece.slice(from, index));
      from = index + end.length;
      endedInReturn = end === '\r' && from === piece.length;
      yield withoutMark(text);
      text = '';
      if (yielder.isDue()) await yielder.yieldNow();
    }
    keep(piece.slice(from));
  }
  const last = withoutMark(text);
  if (last !== '') yield last;
}

const withoutMark = (line: string): string => (line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line);
