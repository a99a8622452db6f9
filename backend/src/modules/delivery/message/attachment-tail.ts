import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Encoder } from 'nodemailer/lib/base64';
import { composeMessage } from '../../../shared/mail/smtp/bulk-transport.js';

/** A file that is attached to the messages of a send. */
export interface AttachedFile {
  name: string;
  mediaType: string;
  byteSize: number;
  storageKey: string;
}

/** Length of the random placeholder that stands for a file's bytes; its base64 is one line without padding. */
const MARK_BYTES = 48;

/**
 * The end of every message of a send with attached files: what follows its text and HTML parts. The library makes the
 * part headers with the names of the files; their bytes are encoded as they are read.
 * @param baseBoundary as of the messages: the id of the send
 * @param open reads the bytes of a file @throws what `open` throws, and where a file has not as many bytes as it should
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
      // White space in a row would not survive the relaxed form of DKIM.
      filename: name.replace(/\s+/g, ' ').trim(),
      contentType: mediaType,
      contentDisposition: 'attachment',
      contentTransferEncoding: 'base64',
      content: marks[i]!,
    })),
  } as Parameters<typeof composeMessage>[0]);
  let rest = afterAlternative(composed.body);
  const chunks: Buffer[] = [];
  for (const [i, file] of files.entries()) {
    const [before, after] = cut(rest, marks[i]!.toString('base64'));
    chunks.push(Buffer.from(before, 'latin1'));
    await encode(file, await open(file), chunks);
    rest = after;
  }
  return Buffer.concat([...chunks, Buffer.from(rest, 'latin1')]);
}

async function encode({ byteSize }: AttachedFile, bytes: Readable, into: Buffer[]): Promise<void> {
  const encoder = new Encoder({ lineLength: 76 });
  bytes.on('error', (error: Error) => encoder.destroy(error));
  for await (const chunk of bytes.pipe(encoder)) into.push(chunk as Buffer);
  if (encoder.inputBytes !== byteSize) throw new Error(`a file has ${encoder.inputBytes} bytes and not ${byteSize}`);
}

/** What follows the multipart/alternative, which is the first part. */
function afterAlternative(body: string): string {
  const opening = body.slice(0, body.indexOf('\r\n\r\n'));
  return cut(body, `\r\n--${/boundary="([^"]+)"/.exec(opening)![1]!}--\r\n`)[1];
}

function cut(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  if (index < 0) throw new Error('the library composed another message than expected');
  return [text.slice(0, index), text.slice(index + at.length)];
}
