import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../../shared/config/settings.js';
import { composeMessage, type ReadyMessage } from '../../shared/mail/bulk-transport.js';
import { relaxedBody } from '../../shared/mail/dkim-signer.js';
import { MessageComposer, type ComposableSend, type Recipient } from './message-composer.js';
import { PreparedMessages } from './prepared-message.js';

const settings = {
  appUrl: 'https://staffcast.test', mailFrom: 'no-reply@staffcast.test', mailDomain: 'staffcast.test', bounceDomain: 'bounces.test', postalAddress: '1 Straße <Springfield>', jwtSecret: 'secret',
} as Settings;
const composer = new MessageComposer(settings);

/** Lines that mailers get wrong: dots, "From ", trailing blanks, long words, other scripts, emoji, HTML, what looks like an escape. */
const line = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom('.', '..', '.hidden', 'From me', '--', '-- ', ' ', '\tTab\t', '=3D=20', '<script>1</script>', '<img src=x onerror=1>', 'a & b "c" \'d\'', 'https://a.test/x?a=1&b=2', '日本語 שלום مرحبا', '👩‍👩‍👧‍👦🇨🇭'),
  fc.nat({ max: 300 }).map((n) => 'x'.repeat(n)),
  fc.nat({ max: 60 }).map((n) => '.'.repeat(n)),
  fc.nat({ max: 200 }).map((n) => 'é.'.repeat(n)),
);
const content = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n').replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '') + ' ');
const name = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.constantFrom('', 'Jane', 'Müller, Ann', '"Q" <x@y>', '李雷', 'O\'Brien (x)', '🎉🎉'));
const tokens = fc.constantFrom('t'.repeat(43), '-_'.repeat(21) + 'A', `${'Z'.repeat(43)}.${'b'.repeat(22)}`, '='.repeat(43), '.'.repeat(43));

const raw = ({ head, body }: ReadyMessage): string => `${head}\r\n${body}`;

async function decoded(message: ReadyMessage) {
  const mail = (await simpleParser(Buffer.from(raw(message)), { skipTextToHtml: true })) as unknown as Record<string, unknown> & { headerLines: { key: string; line: string }[] };
  const values = (key: string) => (mail[key] as { value: unknown } | undefined)?.value;
  const plain = mail.headerLines.filter(({ key }) => !['to', 'content-type'].includes(key)).map(({ line: text }) => text.replace(/\r?\n[ \t]/g, ' '));
  return { envelope: message.envelope, to: values('to'), text: mail.text, html: mail.html, headers: plain, keys: mail.headerLines.map(({ key }) => key) };
}

describe('a prepared message', () => {
  it('says what the library would have composed, whatever it says and whoever it goes to', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({ content, subject: name, senderName: name, senderAgency: fc.option(name), name: fc.option(name), listName: name, token: tokens, introductionDue: fc.boolean() }),
        async ({ name: recipientName, listName, token, introductionDue, subject, ...words }) => {
          const send: ComposableSend = { id: randomUUID(), userId: randomUUID(), subject: `S${subject}`, sentAt: new Date('2026-11-21T06:30:00Z'), replyTo: 'ann@gmail.com', ...words };
          const prepared = composer.prepare(send);
          const messages = new PreparedMessages(composer, prepared);
          for (const email of ['Jane@example.com', 'o\'brien&co@bücher.example']) {
            const recipient: Recipient = { deliveryId: randomUUID(), emailListId: randomUUID(), email, name: recipientName, listName, unsubscribeToken: token, introductionDue };
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

  it('is the same again after a restart', async () => {
    const send = composer.prepare({ id: randomUUID(), userId: randomUUID(), subject: 'Hi', content: 'Hello', sentAt: new Date(), senderName: 'Ann', senderAgency: null, replyTo: 'a@b.test' });
    const recipient: Recipient = { deliveryId: randomUUID(), emailListId: randomUUID(), email: 'j@x.test', name: 'J', listName: 'L', unsubscribeToken: 't'.repeat(43), introductionDue: false };
    const [first, second] = await Promise.all([0, 1].map(async () => raw(await new PreparedMessages(composer, send).for(recipient))));
    expect(second).toBe(first);
  });

  it('fails for a recipient that cannot be mailed, and for that one only', async () => {
    const messages = new PreparedMessages(composer, composer.prepare({ id: randomUUID(), userId: randomUUID(), subject: 'Hi', content: 'Hello', sentAt: new Date(), senderName: 'Ann', senderAgency: null, replyTo: 'a@b.test' }));
    const recipient: Recipient = { deliveryId: randomUUID(), emailListId: randomUUID(), email: 'a@x.test\r\nRCPT TO:<b@x.test>', name: null, listName: 'L', unsubscribeToken: 't'.repeat(43), introductionDue: false };
    await expect(messages.for(recipient)).rejects.toThrow('cannot be mailed');
    await expect(messages.for({ ...recipient, email: 'a@x.test' })).resolves.toMatchObject({ envelope: { to: 'a@x.test' } });
  });
});
