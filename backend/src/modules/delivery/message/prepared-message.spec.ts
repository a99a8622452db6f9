import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { randomUUID } from 'node:crypto';
import type { ComposedMessage, Piece } from '../../../shared/merge-tags/pieces.js';
import { cleanValue } from '../../../shared/merge-tags/values.js';
import type { Settings } from '../../../shared/config/settings.js';
import { composeMessage, type ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import { relaxedBody } from '../../../shared/mail/smtp/dkim-signer.js';
import { MessageComposer, type ComposableSend, type Recipient } from './message-composer.js';
import { PreparedMessages } from './prepared-message.js';

const settings = {
  appUrl: 'https://staffcast.test',
  mailFrom: 'no-reply@staffcast.test',
  mailDomain: 'staffcast.test',
  bounceDomain: 'bounces.test',
  postalAddress: '1 Straße <Springfield>',
  jwtSecret: 'secret',
} as Settings;
const composer = new MessageComposer(settings);

/**
 * Lines that mailers often encode incorrectly: dots, "From ", trailing blanks, long words, other scripts, emoji, HTML,
 * and text that looks like an escape sequence.
 */
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom(
    '.',
    '..',
    '.hidden',
    'From me',
    '--',
    '-- ',
    ' ',
    '\tTab\t',
    '=3D=20',
    '<script>1</script>',
    '<img src=x onerror=1>',
    'a & b "c" \'d\'',
    'https://a.test/x?a=1&b=2',
    '日本語 שלום مرحبا',
    '👩‍👩‍👧‍👦🇨🇭',
  ),
  fc.nat({ max: 300 }).map((n) => 'x'.repeat(n)),
  fc.nat({ max: 60 }).map((n) => '.'.repeat(n)),
  fc.nat({ max: 200 }).map((n) => 'é.'.repeat(n)),
);
const content = fc
  .array(line, { maxLength: 12 })
  .map((lines) => lines.join('\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '') + ' ');
const name = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('', 'Jane', 'Müller, Ann', '"Q" <x@y>', '李雷', "O'Brien (x)", '🎉🎉'),
);
const tokens = fc.constantFrom(
  't'.repeat(43),
  '-_'.repeat(21) + 'A',
  `${'Z'.repeat(43)}.${'b'.repeat(22)}`,
  '='.repeat(43),
  '.'.repeat(43),
);

/** Texts with merge tags in all positions: at the ends, next to each other, after a dot, inside a word. */
const pieces: fc.Arbitrary<Piece[]> = fc.array(
  fc.oneof(
    line.map((text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')),
    fc.constantFrom('\n', ' ', '.', '\n.', 'Hi ', ', '),
    fc.record({
      tag: fc.constantFrom('first_name', 'company', 'field.visa', 'list_name'),
      fallback: fc.option(fc.constantFrom('there', 'Zoë & co', '<b>', '.', '日本語')),
    }),
  ),
  { minLength: 1, maxLength: 12 },
);
const escapedPieces = pieces.map((all) =>
  all.map((piece) => (typeof piece === 'string' ? `<p>${piece.replace(/[<>&]/g, '')}</p>` : piece)),
);
const taggedMessage: fc.Arbitrary<ComposedMessage> = fc.record({
  subject: pieces.map((all) => ['S', ...all.map((piece) => (typeof piece === 'string' ? oneLine(piece) : piece))]),
  preheader: fc.oneof(fc.constant<Piece[]>([]), pieces),
  text: pieces,
  html: fc.option(escapedPieces),
});
const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
const tagValue = fc.oneof(
  line,
  fc.string({ unit: 'grapheme', maxLength: 220 }),
  fc.constantFrom(
    '',
    'Priya',
    '{{first_name}}',
    '{{company|x}}',
    'A\r\nBcc: e@x.test',
    '<script>1</script>',
    '.',
    '.dot',
    'From me',
    '=3D',
    'O\'Brien "x" & y',
    '\u202egpj.exe',
    'مرحبا بالعالم',
    '👩‍👩‍👧‍👦'.repeat(20),
    'é'.repeat(200),
    'x'.repeat(200),
    '=?UTF-8?Q?x?=',
    'a  b   c',
  ),
);

const raw = ({ head, body }: ReadyMessage): string => `${head}\r\n${body}`;

async function decoded(message: ReadyMessage) {
  const mail = (await simpleParser(Buffer.from(raw(message)), { skipTextToHtml: true })) as unknown as Record<
    string,
    unknown
  > & { headerLines: { key: string; line: string }[] };
  const values = (key: string) => (mail[key] as { value: unknown } | undefined)?.value;
  const plain = mail.headerLines
    .filter(({ key }) => !['to', 'content-type'].includes(key))
    .map(({ line: text }) => text.replace(/\r?\n[ \t]/g, ' '));
  return {
    envelope: message.envelope,
    to: values('to'),
    text: mail.text,
    html: mail.html,
    headers: plain,
    keys: mail.headerLines.map(({ key }) => key),
  };
}

const plainSend = (): ComposableSend => ({
  id: randomUUID(),
  userId: randomUUID(),
  subject: 'Hi',
  content: 'Hello',
  sentAt: new Date('2026-11-21T06:30:00Z'),
  senderName: 'Ann',
  senderAgency: null,
  replyTo: 'a@b.test',
});
const anyRecipient = (): Recipient => ({
  deliveryId: randomUUID(),
  emailListId: randomUUID(),
  email: 'j@x.test',
  name: 'J',
  listName: 'L',
  unsubscribeToken: 't'.repeat(43),
  introductionDue: false,
});

const EMPTY_TAG: Piece = { tag: 'first_name', fallback: null };
const NO_VALUES_GIVEN = { first_name: '', company: '', 'field.visa': '' };

describe('a prepared message', () => {
  it('equals the message that the library composes, for any content and recipient', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          content,
          subject: name,
          senderName: name,
          senderAgency: fc.option(name),
          name: fc.option(name),
          listName: name,
          token: tokens,
          introductionDue: fc.boolean(),
        }),
        async ({ name: recipientName, listName, token, introductionDue, subject, ...words }) => {
          const send: ComposableSend = {
            id: randomUUID(),
            userId: randomUUID(),
            subject: `S${subject}`,
            sentAt: new Date('2026-11-21T06:30:00Z'),
            replyTo: 'ann@gmail.com',
            ...words,
          };
          const prepared = composer.prepare(send);
          const messages = new PreparedMessages(composer, prepared);
          for (const email of ['Jane@example.com', "o'brien&co@bücher.example"]) {
            const recipient: Recipient = {
              deliveryId: randomUUID(),
              emailListId: randomUUID(),
              email,
              name: recipientName,
              listName,
              unsubscribeToken: token,
              introductionDue,
            };
            const ours = await messages.for(recipient);
            const theirs = await composeMessage(composer.compose(prepared, recipient));
            expect(await decoded(ours)).toEqual(await decoded(theirs));
            expect(raw(ours)).toMatch(/^[\t\r\n\x20-\x7e]*$/);
            expect(raw(ours)).not.toMatch(/[^\r]\n|\r[^\n]|\n\./);
            expect(Math.max(...ours.body.split('\r\n').map((one) => one.length))).toBeLessThanOrEqual(76);
            expect(ours.relaxedBody?.() ?? relaxedBody(ours.body)).toBe(relaxedBody(ours.body));
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  it("contains its recipient's values, equal to the library's message, signed or not", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          message: taggedMessage,
          values: fc.array(fc.record({ first_name: tagValue, company: tagValue, 'field.visa': tagValue }), {
            minLength: 2,
            maxLength: 3,
          }),
          listName: name,
          introductionDue: fc.boolean(),
        }),
        async ({ message, values, listName, introductionDue }) => {
          const send = composer.prepare({ ...plainSend(), message });
          const messages = new PreparedMessages(composer, send);
          for (const given of values) {
            const known = new Map(Object.entries(given).map(([tag, value]) => [tag, cleanValue(value)]));
            const recipient: Recipient = { ...anyRecipient(), listName, introductionDue, values: known };
            const ours = await messages.for(recipient);
            const theirs = await composeMessage(composer.compose(send, recipient));
            const mail = await decoded(ours);
            expect(mail).toEqual(await decoded(theirs));
            const text = message.text.map((piece) =>
              typeof piece === 'string'
                ? piece
                : (piece.tag === 'list_name' ? cleanValue(listName) : known.get(piece.tag)) || piece.fallback || '',
            );
            expect(mail.text).toContain(text.join('').trimEnd().replace(/\r\n?/g, '\n'));
            expect(raw(ours)).toMatch(/^[\t\r\n\x20-\x7e]*$/);
            expect(raw(ours)).not.toMatch(/[^\r]\n|\r[^\n]|\n\./);
            expect(Math.max(...ours.body.split('\r\n').map((one) => one.length))).toBeLessThanOrEqual(76);
            expect(ours.relaxedBody!()).toBe(relaxedBody(ours.body));
          }
        },
      ),
      {
        numRuns: 200,
        examples: [
          [
            {
              message: { subject: ['S.'], preheader: [EMPTY_TAG], text: [''], html: null },
              values: [NO_VALUES_GIVEN, NO_VALUES_GIVEN],
              listName: '',
              introductionDue: false,
            },
          ],
          [
            {
              message: { subject: ['S'], preheader: [], text: ['https://a.test/x?a=1&b=2', EMPTY_TAG], html: null },
              values: [{ first_name: 'Zo\u00eb', company: '', 'field.visa': '' }, NO_VALUES_GIVEN],
              listName: 'Java',
              introductionDue: false,
            },
          ],
        ],
      },
    );
  });

  it('lets no value inject a header', async () => {
    const message: ComposedMessage = {
      subject: ['Hi ', { tag: 'first_name', fallback: null }],
      preheader: [],
      text: [{ tag: 'first_name', fallback: null }],
      html: null,
    };
    const messages = new PreparedMessages(composer, composer.prepare({ ...plainSend(), message }));
    const values = new Map([['first_name', cleanValue('A\r\nBcc: e@x.test\u0000\u2028Cc: f@x.test')]]);
    const { keys, headers } = await decoded(await messages.for({ ...anyRecipient(), values }));
    expect(keys).not.toContain('bcc');
    expect(keys).not.toContain('cc');
    expect(headers).toContain('Subject: Hi A Bcc: e@x.test Cc: f@x.test');
  });

  it('is identical after a restart', async () => {
    const send = composer.prepare(plainSend());
    const recipient = anyRecipient();
    const [first, second] = await Promise.all(
      [0, 1].map(async () => raw(await new PreparedMessages(composer, send).for(recipient))),
    );
    expect(second).toBe(first);
  });

  it('fails only for the recipient that cannot be mailed', async () => {
    const messages = new PreparedMessages(composer, composer.prepare(plainSend()));
    const recipient = { ...anyRecipient(), email: 'a@x.test\r\nRCPT TO:<b@x.test>' };
    await expect(messages.for(recipient)).rejects.toThrow('cannot be mailed');
    await expect(messages.for({ ...recipient, email: 'a@x.test' })).resolves.toMatchObject({
      envelope: { to: 'a@x.test' },
    });
  });
});
