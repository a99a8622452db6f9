import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { World } from './world.js';
import { attachmentTail } from '../src/modules/delivery/message/attachment-tail.js';

const NAME = 'Resume, Java developer.pdf';

/** A PDF of the given size in bytes. Every call returns the same one. */
export function attachedFile(bytes: number): Buffer {
  const start = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% ';
  const end = '\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';
  let filling = '';
  for (let n = 0; filling.length < bytes; n++) filling += createHash('sha256').update(String(n)).digest('hex');
  return Buffer.from(start + filling.slice(0, bytes - start.length - end.length) + end, 'latin1');
}

/** The encoded attachment part of a send's messages with this file. */
export const tailOf = (sendId: string, file: Buffer): Promise<Buffer> =>
  attachmentTail(sendId, [{ name: NAME, mediaType: 'application/pdf', byteSize: file.length, storageKey: '' }], () =>
    Promise.resolve(Readable.from([file])),
  );

/** The form of an upload. */
function uploadOf(file: Buffer): FormData {
  const form = new FormData();
  form.set('kind', 'document');
  form.set('file', new Blob([new Uint8Array(file)]), NAME);
  return form;
}

/** Uploads a file. @returns its id */
export async function upload(world: World, file: Buffer): Promise<string> {
  const answer = await fetch(`${world.env.APP_URL}/api/files`, {
    method: 'POST',
    headers: { ...world.headers, 'Sec-Fetch-Site': 'same-origin' },
    body: uploadOf(file),
  });
  if (!answer.ok) throw new Error(`upload: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}
