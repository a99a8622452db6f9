import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import { createTransport } from 'nodemailer';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../../../shared/config/settings.js';
import { EnvelopeSenders } from '../../../shared/mail/envelope-sender.js';
import { MessageComposer, type ComposableSend, type Recipient } from './message-composer.js';

const settings = {
  appUrl: 'https://staffcast.test',
  mailFrom: 'no-reply@staffcast.test',
  mailDomain: 'staffcast.test',
  postalAddress: '1 Test Street <Springfield>',
  jwtSecret: 'secret',
} as Settings;
const composer = new MessageComposer(settings);
const send: ComposableSend = {
  id: randomUUID(),
  userId: randomUUID(),
  subject: 'Hello',
  content: 'Hi',
  sentAt: new Date('2026-11-21T06:30:00Z'),
  senderName: 'Ann Kumar',
  senderAgency: 'Acme',
  replyTo: 'ann@gmail.com',
};
const recipient: Recipient = {
  deliveryId: randomUUID(),
  emailListId: randomUUID(),
  email: 'Jane@example.com',
  name: 'Jane',
  listName: 'Java people',
  unsubscribeToken: 't'.repeat(43),
  introductionDue: false,
};

async function render(
  sendWith: Partial<ComposableSend> = {},
  to: Partial<Recipient> = {},
): Promise<{ raw: string; head: string; names: string[] }> {
  const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' } as never);
  const info = await stream.sendMail(
    composer.compose(composer.prepare({ ...send, ...sendWith }), { ...recipient, ...to }) as never,
  );
  const raw = String((info as unknown as { message: Buffer }).message);
  const head = raw.slice(0, raw.indexOf('\r\n\r\n'));
  return {
    raw,
    head,
    names: head.split(/\r\n(?![ \t])/).map((line) => line.slice(0, line.indexOf(':')).toLowerCase()),
  };
}

const HEADERS = [
  'from',
  'reply-to',
  'to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'list-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'precedence',
];

describe('a message of a send', () => {
  it('has each of its headers once and no other', async () => {
    const { head, names } = await render();
    expect([...names].sort()).toEqual([...HEADERS].sort());
    expect(head).toContain(
      `List-Unsubscribe: <https://staffcast.test/unsubscribe/${'t'.repeat(43)}?m=${(1795242600).toString(36)}>\r\n`,
    );
    expect(head).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click');
    expect(head).toContain('From: Ann Kumar via Staffcast <no-reply@staffcast.test>');
    expect(head).toContain('<ann@gmail.com>');
    expect(head).toContain('Date: Sat, 21 Nov 2026 06:30:00 +0000');
    expect(head).toContain(`<${recipient.deliveryId}@staffcast.test>`);
    expect(head.replace(/\r\n[ \t]/g, ' ')).toContain(
      `List-ID: "Java people" <${recipient.emailListId}.lists.staffcast.test>`,
    );
  });

  it('has a text part, then an HTML part, and both name sender, reason, address and unsubscribe link', async () => {
    const { raw } = await render({
      content: '<script>1</script><img src=x onerror=1> see https://a.test/x?a=1&b=2 or ftp://b.test',
    });
    expect(raw.indexOf('text/plain; charset=utf-8')).toBeLessThan(raw.indexOf('text/html; charset=utf-8'));
    const mail = await simpleParser(Buffer.from(raw), { skipTextToHtml: true });
    for (const part of [mail.text!, mail.html as string]) {
      for (const word of ['Ann Kumar', 'Acme', 'Java people', '1 Test Street', `unsubscribe/${'t'.repeat(43)}`])
        expect(part).toContain(word);
    }
    expect(mail.html).not.toMatch(/<(script|img)/);
    expect(mail.html).toContain('&lt;script&gt;');
    expect(mail.html).toContain('<a href="https://a.test/x?a=1&amp;b=2"');
    expect(mail.html).not.toContain('href="ftp');
  });

  it('carries any content unchanged in valid lines', async () => {
    const content = `${'x'.repeat(5000)}\n.\nFrom me\n日本語\tTab\n`;
    const { raw } = await render({ content, subject: `${'日本語🎉'.repeat(35)}` });
    expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/);
    expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
    expect(raw).toMatch(/^[\x00-\x7f]*$/);
    const mail = await simpleParser(Buffer.from(raw), { skipTextToHtml: true });
    expect(mail.text).toContain(content);
    expect(mail.subject).toBe('日本語🎉'.repeat(35));
  });

  it('says to an attested contact in its first lines who added the address and how to leave', async () => {
    const { raw } = await render({}, { introductionDue: true });
    const mail = await simpleParser(Buffer.from(raw), { skipTextToHtml: true });
    expect(mail.text!.split('\n')[0]).toContain('Ann Kumar of Acme added your address');
    expect(mail.text!.split('\n')[0]).toContain('/unsubscribe/');
  });

  it('is identical at every attempt', () => {
    const [first, second] = [0, 1].map(() => composer.compose(composer.prepare(send), recipient));
    expect(second).toEqual(first);
  });

  it('lets no name, list or subject inject a header or a second mailbox', async () => {
    const nasty = fc.string({
      unit: fc.constantFrom(
        'a',
        '"',
        '<',
        '>',
        '@',
        ',',
        ';',
        ':',
        '\r',
        '\n',
        '\t',
        '\0',
        '\u2028',
        '\\',
        '(',
        ')',
        'é',
        '日',
        ' ',
        '=?',
      ),
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(nasty, nasty, nasty, nasty, async (senderName, listName, name, subject) => {
        const { head, names } = await render({ senderName, subject: `s${subject}` }, { listName, name });
        expect([...names].sort()).toEqual([...HEADERS].sort());
        const mail = (await simpleParser(Buffer.from(`${head}\r\n\r\n`))) as unknown as Record<
          'from' | 'to' | 'replyTo',
          { value: { address: string }[] }
        >;
        expect(mail.from.value.map((box) => box.address)).toEqual(['no-reply@staffcast.test']);
        expect(mail.to.value.map((box) => box.address)).toEqual(['Jane@example.com']);
        expect(mail.replyTo.value.map((box) => box.address)).toEqual(['ann@gmail.com']);
        expect(head).toContain(`<${recipient.emailListId}.lists.staffcast.test>`);
      }),
      { numRuns: 150 },
    );
  });

  it('creates and reads its bounce address', () => {
    const senders = new EnvelopeSenders({ jwtSecret: 'secret' });
    const address = senders.of('b', recipient.deliveryId, 'bounces.test');
    expect(address).toMatch(/^b-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.test$/);
    expect(senders.read(address.toUpperCase())).toEqual({ kind: 'b', id: recipient.deliveryId });
    expect(new EnvelopeSenders({ jwtSecret: 'other' }).read(address)).toBeNull();
  });
});
