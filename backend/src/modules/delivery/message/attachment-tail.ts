import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { composeMessage } from '../../../shared/mail/smtp/bulk-transport.js';

export interface AttachedFile {
  name: string;
  mediaType: string;
  byteSize: number;
  storageKey: string;
}

/** The tail cannot be built from the stored files, and reading them again is unlikely to help. */
export class UnusableAttachment extends Error {}

/** Number of bytes that fill one base64 line of 76 characters (RFC 2045 §6.8). */
const LINE_BYTES = 57;
/** Length in bytes of the random placeholder for a file. Its base64 is a single line without padding. */
const MARK_BYTES = 48;

/**
 * The end of every message of a send with attached files: everything after the text and HTML parts. The library writes
 * the part headers; the files are encoded here while they are read.
 * @param baseBoundary id of the send, from which the messages derive their MIME boundaries too
 * @param open reads the bytes of a file
 * @throws errors of `open` and its streams; UnusableAttachment if a file's size is not its `byteSize`; Error if the
 * library composes a message of unexpected structure
 */
export async function attachmentTail(
  baseBoundary: string,
  files: readonly AttachedFile[],
  open: (file: AttachedFile) => Promise<Readable>,
): Promise<Buffer> {
  const marks = files.map(() => randomBytes(MARK_BYTES));
  const composed = await composeMessage({
    text: 'text',
    html: '<p>html</p>',
    baseBoundary,
    attachments: files.map(({ name, mediaType }, i) => ({
      // Runs of blanks would not survive DKIM's relaxed canonicalisation.
      filename: name.replace(/\s+/g, ' ').trim(),
      contentType: mediaType,
      contentDisposition: 'attachment',
      contentTransferEncoding: 'base64',
      content: marks[i]!,
    })),
  } as Parameters<typeof composeMessage>[0]);
  const texts: string[] = [];
  let rest = afterAlternative(composed.body);
  for (const mark of marks) {
    const [before, after] = splitAround(rest, mark.toString('base64'));
    texts.push(before);
    rest = after;
  }
  texts.push(rest);
  const encoded = files.reduce((sum, { byteSize }) => sum + encodedSize(byteSize), 0);
  const tail = Buffer.alloc(texts.reduce((sum, { length }) => sum + length, encoded));
  let at = 0;
  for (const [i, text] of texts.entries()) {
    at += tail.write(text, at, 'latin1');
    const file = files[i];
    if (file) at = await encodeInto(tail, at, file, await open(file));
  }
  return tail;
}

/** Length of the base64 text, with CRLF between the lines but not after the last one. */
const encodedSize = (bytes: number): number =>
  4 * Math.ceil(bytes / 3) + 2 * Math.max(0, Math.ceil(bytes / LINE_BYTES) - 1);

/**
 * Encodes a file line by line into the tail, so that only one copy of its encoded form is in memory.
 * @returns offset of the end of the file in the tail
 */
async function encodeInto(tail: Buffer, from: number, { byteSize }: AttachedFile, bytes: Readable): Promise<number> {
  const carry = Buffer.alloc(LINE_BYTES);
  let [at, carried, read] = [from, 0, 0];
  const line = (source: Buffer, start: number, end: number): void => {
    if (at > from) at += tail.write('\r\n', at, 'latin1');
    at += tail.write(source.toString('base64', start, end), at, 'latin1');
  };
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > byteSize) break;
    const first = Math.min((LINE_BYTES - carried) % LINE_BYTES, chunk.length);
    chunk.copy(carry, carried, 0, first);
    carried += first;
    if (carried > 0 && carried < LINE_BYTES) continue;
    if (carried > 0) line(carry, 0, LINE_BYTES);
    let i = first;
    for (; i + LINE_BYTES <= chunk.length; i += LINE_BYTES) line(chunk, i, i + LINE_BYTES);
    carried = chunk.copy(carry, 0, i);
  }
  if (read !== byteSize) throw new UnusableAttachment(`a file has ${read} bytes and not ${byteSize}`);
  if (carried > 0) line(carry, 0, carried);
  return at;
}

/** The part of a body that follows its first part, the multipart/alternative. */
function afterAlternative(body: string): string {
  const opening = body.slice(0, body.indexOf('\r\n\r\n'));
  return splitAround(body, `\r\n--${/boundary="([^"]+)"/.exec(opening)![1]!}--\r\n`)[1];
}

function splitAround(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  if (index < 0) throw new Error('the library composed another message than expected');
  return [text.slice(0, index), text.slice(index + at.length)];
}
