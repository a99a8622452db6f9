import { Readable } from 'node:stream';
import { createHash, generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import type { Settings } from '../../../shared/config/settings.js';
import { composeMessage, type ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import { DkimSigner, relaxedBody } from '../../../shared/mail/smtp/dkim-signer.js';
import { verifyDkim } from '../../../../test/integration/email/verify-dkim.js';
import { type AttachedFile, attachmentTail } from './attachment-tail.js';
import { type ComposableSend, MessageComposer, type Recipient } from './message-composer.js';
import { PreparedMessages } from './prepared-message.js';

const composer = new MessageComposer({
  appUrl: 'https://staffcast.test',
  mailFrom: 'no-reply@staffcast.test',
  mailDomain: 'staffcast.test',
  bounceDomain: 'bounces.test',
  postalAddress: '1 Main Street',
  jwtSecret: 'secret',
} as Settings);
const send = (): ComposableSend => ({
  id: randomUUID(),
  userId: randomUUID(),
  subject: 'Three consultants',
  content: 'Please see attached.\n.\n--',
  sentAt: new Date('2026-11-21T06:30:00Z'),
  senderName: 'Ann',
  senderAgency: null,
  replyTo: 'a@b.test',
  attached: true,
});
const recipient = (introductionDue = false): Recipient => ({
  deliveryId: randomUUID(),
  emailListId: randomUUID(),
  email: 'jane@people.test',
  name: 'Jane',
  listName: 'Java',
  unsubscribeToken: 't'.repeat(43),
  introductionDue,
});

interface Given {
  name: string;
  mediaType: string;
  bytes: Buffer;
}
const toFile = ({ name, mediaType, bytes }: Given, i: number): AttachedFile => ({
  name,
  mediaType,
  byteSize: bytes.length,
  storageKey: String(i),
});
/** Yields a file in chunks of uneven sizes, as a file storage does. */
const open =
  (given: readonly Given[]) =>
  ({ storageKey }: AttachedFile): Promise<Readable> => {
    const { bytes } = given[Number(storageKey)]!;
    const chunks: Buffer[] = [];
    for (let at = 0, n = 1; at < bytes.length; at += n, n = (n * 7) % 211 || 1) chunks.push(bytes.subarray(at, at + n));
    return Promise.resolve(Readable.from(chunks));
  };
const tailOf = (id: string, given: readonly Given[]): Promise<Buffer> =>
  attachmentTail(id, given.map(toFile), open(given));

interface Parsed {
  text?: string;
  html?: string;
  attachments: {
    filename?: string;
    contentType: string;
    contentDisposition: string;
    headerLines: unknown;
    content: Buffer;
  }[];
}
async function parsed(message: string): Promise<Parsed> {
  const { text, html, attachments } = (await simpleParser(Buffer.from(message, 'latin1'))) as unknown as Parsed;
  return {
    text,
    html,
    attachments: attachments.map(({ filename, contentType, contentDisposition, headerLines, content }) => ({
      filename,
      contentType,
      contentDisposition,
      headerLines,
      content,
    })),
  };
}
const raw = ({ head, body, tail }: ReadyMessage): string => `${head}\r\n${body}${tail?.toString('latin1') ?? ''}`;

const names = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 200 })
    .map((text) => `${text.replace(/[\p{Cc}\u2028\u2029]+/gu, '')}.pdf`),
  fc.constantFrom(
    'Resume.pdf',
    'Resume, Java developer (5 years); "senior".pdf',
    `${'x'.repeat(196)}.pdf`,
    `${'long name of words '.repeat(10)}.pdf`,
    'a   b.pdf',
    'סיכום קורות חיים.pdf',
    'سيرة ذاتية.pdf',
    `${'履歴書'.repeat(65)}.pdf`,
    "O'Brien 100%.pdf",
    '=?UTF-8?Q?x?=.pdf',
    '👩‍💻.pdf',
  ),
);
const files: fc.Arbitrary<Given[]> = fc.array(
  fc.record({
    name: names,
    mediaType: fc.constantFrom('application/pdf', 'text/plain', 'application/rtf'),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 600 }).map((bytes) => Buffer.from(bytes)),
  }),
  { minLength: 1, maxLength: 4 },
);

describe('the tail of a message with attached files', () => {
  it('makes, with its head and body, the message that the library composes', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.boolean(), async (given, introductionDue) => {
        const prepared = composer.prepare(send());
        const to = recipient(introductionDue);
        const tail = await tailOf(prepared.id, given);
        const ours = { ...(await new PreparedMessages(composer, prepared).for(to)), tail };
        const attachments = given.map(({ name, mediaType, bytes }) => ({
          filename: name.replace(/\s+/g, ' ').trim(),
          contentType: mediaType,
          content: bytes,
        }));
        const theirs = await composeMessage({ ...composer.compose(prepared, to), attachments });
        const [mine, other] = await Promise.all([ours, theirs].map((message) => parsed(raw(message))));
        expect(mine!.attachments).toEqual(other!.attachments);
        expect(mine!.attachments.map(({ content }) => content)).toEqual(given.map(({ bytes }) => bytes));
        expect(mine!.text).toBe(other!.text);
        expect(mine!.html).toBe(other!.html);
        expect(raw(ours)).toMatch(/^[\t\r\n\x20-\x7e]*$/);
        expect(raw(ours)).not.toMatch(/[^\r]\n|\r[^\n]|\n\./);
        expect(relaxedBody(`${ours.body}${tail.toString('latin1')}`)).toBe(
          `${ours.relaxedBody!()}${tail.toString('latin1')}`,
        );
        expect(relaxedBody(ours.body)).toBe(ours.relaxedBody!());
        expect(
          Math.max(
            ...raw(ours)
              .split('\r\n')
              .map((line) => line.length),
          ),
        ).toBeLessThanOrEqual(998);
      }),
      { numRuns: 100 },
    );
  });

  it('is signed with the body, without being joined to it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'der' },
    });
    const signer = new DkimSigner({
      domainName: 'staffcast.test',
      keySelector: 's1',
      privateKey,
      headerFieldNames: 'From:Subject:Date:To:Content-Type:List-Unsubscribe:List-Unsubscribe-Post',
    });
    const dns = { 's1._domainkey.staffcast.test': `v=DKIM1; k=rsa; p=${publicKey.toString('base64')}` };
    const prepared = composer.prepare(send());
    const bytes = randomBytes(200_000);
    const tail = await tailOf(prepared.id, [{ name: 'שלום  Resume.pdf', mediaType: 'application/pdf', bytes }]);
    const message = { ...(await new PreparedMessages(composer, prepared).for(recipient())), tail };
    const digest = createHash('sha256').update(tail).digest('hex');
    const signed = (await signer.signatureOf(message)) + raw(message);
    expect(await verifyDkim(signed, dns)).toMatchObject({ verdict: 'pass', domain: 'staffcast.test' });
    expect(createHash('sha256').update(tail).digest('hex')).toBe(digest);
    const at = signed.length - 5_000;
    const changed = signed.slice(0, at) + (signed[at] === 'A' ? 'B' : 'A') + signed.slice(at + 1);
    expect((await verifyDkim(changed, dns)).verdict).not.toBe('pass');
  });

  it('is the same at each try, and fails for a file whose bytes are cut off', async () => {
    const given = [{ name: 'Resume.pdf', mediaType: 'application/pdf', bytes: randomBytes(5_000) }];
    const id = randomUUID();
    expect(await tailOf(id, given)).toEqual(await tailOf(id, given));
    const cutOff = [{ ...given[0]!, bytes: given[0]!.bytes.subarray(0, 4_999) }];
    await expect(attachmentTail(id, given.map(toFile), open(cutOff))).rejects.toThrow('4999 bytes and not 5000');
    const broken = (): Promise<Readable> =>
      Promise.resolve(
        new Readable({
          read() {
            this.destroy(new Error('the storage went away'));
          },
        }),
      );
    await expect(attachmentTail(id, given.map(toFile), broken)).rejects.toThrow('the storage went away');
  });
});
