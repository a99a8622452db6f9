import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { openSource } from '../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../src/modules/lists/imports/reading/pieces.js';
import { REPORT_BYTES, readMailReport } from '../src/modules/bounces/mail-report.js';
import { MessageComposer, type Recipient } from '../src/modules/delivery/message/message-composer.js';
import { PreparedMessages } from '../src/modules/delivery/message/prepared-message.js';
import type { Settings } from '../src/shared/config/settings.js';
import { composeMessage } from '../src/shared/mail/smtp/bulk-transport.js';
import { renderSystemMail } from '../src/shared/mail/system-mail/system-mail-content.js';
import { eventLoopBlockedMs } from './kit/event-loop-block.js';
import { hostileText, HOSTILE_UNITS } from './kit/hostile-texts.js';

const HELD_MS = 200;
const TRIES = 3;

/** Kinds of text that block the thread too long in several attempts. */
async function holders(kinds: Record<string, string>, work: (text: string) => Promise<unknown>): Promise<string[]> {
  const found: string[] = [];
  let longest = 0;
  for (const [kind, text] of Object.entries(kinds)) {
    let held = Infinity;
    for (let tries = 0; tries < TRIES && held > HELD_MS; tries += 1) held = await eventLoopBlockedMs(() => work(text));
    longest = Math.max(longest, held);
    if (held > HELD_MS) found.push(`${kind}: ${Math.round(held)} ms`);
  }
  console.info(`${expect.getState().currentTestName}: held ${Math.round(longest)} ms at most`);
  return found;
}

const ofLength = (length: number): Record<string, string> =>
  Object.fromEntries(Object.entries(HOSTILE_UNITS).map(([kind, unit]) => [kind, hostileText(unit, length)]));

describe('no text blocks the process', () => {
  const composer = new MessageComposer({
    appUrl: 'https://staffcast.test',
    mailFrom: 'no-reply@staffcast.test',
    mailDomain: 'staffcast.test',
    postalAddress: '1 Test Street',
    jwtSecret: 'secret',
  } as Settings);
  const recipient: Recipient = {
    deliveryId: randomUUID(),
    emailListId: randomUUID(),
    email: 'jane@people.test',
    name: 'Jane',
    listName: 'List',
    unsubscribeToken: 't'.repeat(43),
    introductionDue: true,
  };

  it('as the content of a send', async () => {
    expect(
      await holders(ofLength(100_000), async (content) => {
        const send = composer.prepare({
          id: randomUUID(),
          userId: randomUUID(),
          subject: content.slice(0, 255),
          content,
          sentAt: new Date(),
          senderName: content.slice(0, 200),
          senderAgency: null,
          replyTo: 'a@b.test',
        });
        composer.parts(send, recipient);
        const made = await new PreparedMessages(composer, send).for({
          ...recipient,
          listName: content.slice(0, 200),
          name: content.slice(0, 200),
        });
        made.relaxedBody?.();
      }),
    ).toEqual([]);
  }, 300_000);

  it('in a system mail', async () => {
    expect(
      await holders(ofLength(2_000), async (text) => {
        const mail = renderSystemMail({
          subject: text,
          heading: text,
          paragraphs: Array(20).fill(text),
          action: { label: text, url: `https://staffcast.test/${text}` },
          footer: [text],
        });
        await composeMessage({ from: 'a@staffcast.test', to: 'b@people.test', ...mail });
      }),
    ).toEqual([]);
  }, 300_000);

  it('as a report received by mail', async () => {
    await readMailReport(Buffer.from('Subject: loads the parser\r\n\r\n'));
    const part = (type: string) =>
      `Content-Type: multipart/report; report-type=delivery-status; boundary=a\r\n\r\n--a\r\nContent-Type: ${type}\r\n\r\n`;
    const starts: Record<string, string> = {
      To: 'To: ',
      From: 'From: ',
      Subject: 'Subject: ',
      'Content-Type': 'Content-Type: multipart/report; ',
      'Message-ID': 'Message-ID: <',
      Date: 'Date: ',
      head: '',
      body: '\r\n',
      status: part('message/delivery-status'),
      original: part('message/rfc822'),
      feedback: part('message/feedback-report'),
      html: 'Content-Type: text/html\r\n\r\n',
      quoted: 'Content-Transfer-Encoding: quoted-printable\r\n\r\n',
      base64: 'Content-Transfer-Encoding: base64\r\n\r\n',
      flowed: 'Content-Type: text/plain; format=flowed\r\n\r\n',
      japanese: 'Content-Type: text/plain; charset=iso-2022-jp\r\n\r\n',
      'part head': 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nTo: ',
    };
    const units = {
      groups: 'a:b;',
      commas: 'a,',
      blanks: ' ',
      letters: 'x',
      fields: 'A: b\r\n',
      folded: 'a\r\n ',
      words: '=?utf-8?q?a?= ',
      parameters: 'a=b; ',
      continued: 'a*0=b; ',
      parts: '--a\r\n\r\nx\r\n',
      emptyLines: '\r\n',
      recipients: 'To: a@b\r\n',
      groupsOfFields: 'Final-Recipient: rfc822; a@b\r\n\r\n',
      nested: 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
      ids: 'b-aaaaaaaaaaaaaaaaaaaaaaaaaa-',
      tabs: 'A: \t\t',
      angle: '<',
      quotes: '"a" ',
    };
    const reports = Object.fromEntries(
      Object.entries(starts).flatMap(([where, start]) =>
        Object.entries(units).map(([kind, unit]) => [
          `${kind} in ${where}`,
          start + unit.repeat(REPORT_BYTES / unit.length),
        ]),
      ),
    );
    expect(await holders(reports, (raw) => readMailReport(Buffer.from(raw)).catch(() => null))).toEqual([]);
  }, 300_000);

  const units = {
    ...HOSTILE_UNITS,
    emptyLines: '\n',
    blankLines: ' \r\n',
    openQuotes: '"a\n',
    closedQuotes: '"a" b"\n',
    joins: `${'"x\n'.repeat(19)}"\n`,
    manyCells: ',',
    longLines: `${'"a,'.repeat(20_000)}\n`,
    quotedLines: `"${'x""'.repeat(10_000)}\n`,
    lines: 'a@b.test,Ann\n',
    quotedTabs: '"\t',
    recipients: 'Lee, Ann <a@b.test>; ',
    openBrackets: 'Ann <a@b.test, ',
  };
  const filesOf = (length: number, kinds: Record<string, string>) =>
    Object.fromEntries(Object.entries(kinds).map(([kind, unit]) => [kind, unit.repeat(length / unit.length)]));
  const read = async (text: string, pasted: boolean) => {
    const source = await openSource(piecesOf(text), { pasted, limits: { rows: Infinity } });
    for await (const _batch of source.records());
    await source.close();
  };

  it('as the file of an import', async () => {
    expect(await holders(filesOf(128 * 1024, units), (text) => read(text, false))).toEqual([]);
  }, 300_000);

  it('as the pasted text of an import', async () => {
    expect(await holders(filesOf(128 * 1024, units), (text) => read(text, true))).toEqual([]);
    // As much as one request takes.
    const { groups = '', commas = '' } = HOSTILE_UNITS;
    const { lines, openBrackets, closedQuotes, recipients, manyCells } = units;
    const longest = { lines, groups, commas, openBrackets, closedQuotes, recipients, manyCells, quoted: 'a,"b",' };
    expect(await holders(filesOf(4_000_000, longest), (text) => read(text, true))).toEqual([]);
  }, 300_000);
});
