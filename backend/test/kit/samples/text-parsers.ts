import { randomUUID } from 'node:crypto';
import { readMailReport, REPORT_BYTES } from '../../../src/modules/bounces/mail-report.js';
import { readDocument } from '../../../src/modules/composing/document/read-document.js';
import { renderDocument } from '../../../src/modules/composing/document/render-document.js';
import { resolveTags } from '../../../src/modules/composing/merge-tags/resolve-tags.js';
import { tagCatalogue } from '../../../src/modules/composing/merge-tags/tag-catalogue.js';
import { readTags } from '../../../src/modules/composing/merge-tags/tag-syntax.js';
import { MessageComposer, type Recipient } from '../../../src/modules/delivery/message/message-composer.js';
import { PreparedMessages } from '../../../src/modules/delivery/message/prepared-message.js';
import { quotedPrintable } from '../../../src/modules/delivery/message/quoted-printable.js';
import { guessColumns } from '../../../src/modules/lists/imports/judging/column-guess.js';
import { openSource } from '../../../src/modules/lists/imports/reading/open-source.js';
import { piecesOf } from '../../../src/modules/lists/imports/reading/pieces.js';
import type { ImportRecord } from '../../../src/modules/lists/imports/reading/record-source.js';
import type { Settings } from '../../../src/shared/config/settings.js';
import { DOCUMENT_NAMES, hasTooManyNames } from '../../../src/shared/http/requests/json-shape.js';
import { redactText } from '../../../src/shared/logging/redact-url.js';
import { composeMessage } from '../../../src/shared/mail/smtp/bulk-transport.js';
import { renderSystemMail } from '../../../src/shared/mail/system-mail/system-mail-content.js';
import { withoutContactDetails } from '../../../src/shared/text/contact-free-text.js';
import { doc, paragraph, text } from './documents.js';
import {
  CELLS,
  CONTACT_UNITS,
  FILE_UNITS,
  hostileText,
  HOSTILE_UNITS,
  LINK_UNITS,
  PASTED_UNITS,
  REDACTED_UNITS,
  REPORT_TEXTS,
  TAG_UNITS,
} from './hostile-texts.js';

/**
 * Code of the product that reads or writes texts of other people. Each kind of text has a function that creates a text
 * of about the given length and returns the call that processes it.
 */
export interface TextParser {
  /**
   * Size of the largest text that the product passes to this code, or a size at which linear and quadratic time differ
   * clearly.
   */
  size: number;
  kinds: Readonly<Record<string, (size: number) => () => unknown>>;
}

const each = (
  units: Readonly<Record<string, string>>,
  parse: (text: string) => unknown,
  textOf: (unit: string, size: number) => string = (unit, size) => unit.repeat(Math.floor(size / unit.length)),
): TextParser['kinds'] =>
  Object.fromEntries(
    Object.entries(units).map(([kind, unit]) => [
      kind,
      (size: number) => {
        const given = textOf(unit, size);
        return () => parse(given);
      },
    ]),
  );
const named = (units: readonly string[]): Record<string, string> =>
  Object.fromEntries(units.map((unit) => [unit, unit]));

const sender = { firstName: 'Ann', lastName: 'Kumar', email: 'ann@acme.test', agencyName: 'A & B', timeZone: 'UTC' };
const catalogue = tagCatalogue(
  sender,
  ['People'],
  [{ key: 'company', label: 'Company', labels: ['Company'] }],
  new Date(0),
);
const resolve = (content: string) => {
  try {
    return resolveTags({ subject: ['Hi'], preheader: [], text: readTags(content), html: null }, catalogue);
  } catch (error) {
    return error;
  }
};

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

/**
 * Composes a message with this content. The beginning of the content also serves as the subject and as the names of the
 * sender, the list and the recipient.
 */
export async function messageOf(content: string) {
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
  const name = content.slice(0, 200);
  const made = await new PreparedMessages(composer, send).for({ ...recipient, listName: name, name });
  made.relaxedBody?.();
  return { parts: composer.parts(send, recipient), made };
}

export const systemMailOf = (given: string) =>
  composeMessage({
    from: 'a@staffcast.test',
    to: 'b@people.test',
    ...renderSystemMail({
      subject: given,
      heading: given,
      paragraphs: Array<string>(20).fill(given),
      action: { label: given, url: `https://staffcast.test/${given}` },
      footer: [given],
    }),
  });

export async function recordsOf(given: string, pasted: boolean): Promise<ImportRecord[]> {
  const source = await openSource(piecesOf(given), { pasted, limits: { rows: Infinity } });
  const records: ImportRecord[] = [];
  for await (const batch of source.records()) records.push(...batch);
  await source.close();
  return records;
}

/** Reads records without keeping them, like the product. */
async function read(given: string, pasted: boolean): Promise<void> {
  const source = await openSource(piecesOf(given), { pasted, limits: { rows: Infinity } });
  for await (const _batch of source.records());
  await source.close();
}

const names = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join(',')}}`;
const NAME_LENGTH = 11;
const pictures = { of: (id: string) => ({ url: `https://staffcast.test/${id}.png`, width: 1200, height: 600 }) };
const SAMPLE_ROWS = 200;

export const TEXT_PARSERS: Readonly<Record<string, TextParser>> = {
  'merge tags': { size: 100_000, kinds: each(named(TAG_UNITS), readTags) },
  'addresses beside merge tags': {
    size: 100_000,
    kinds: {
      ...each(
        named(LINK_UNITS),
        resolve,
        (unit, size) => `{{email}} ${unit.repeat(size / unit.length)}{{company|${unit}}}`,
      ),
      ...each({ 'many tags': '{{email|w}}:' }, resolve, (unit, size) => unit.repeat(size / 200)),
    },
  },
  'a text without contact details': { size: 500_000, kinds: each(named(CONTACT_UNITS), withoutContactDetails) },
  'redacted text': { size: 64_000, kinds: each(named(REDACTED_UNITS), redactText) },
  'names in JSON': {
    size: 4_000_000,
    kinds: each(
      { ...named(['"', '\\']), colons: ':', names: '' },
      (given) => hasTooManyNames(Buffer.from(given), Infinity),
      (unit, size) => (unit === '' ? names(size / NAME_LENGTH) : `"${unit.repeat(size)}`),
    ),
  },
  'JSON of a document': {
    size: DOCUMENT_NAMES * NAME_LENGTH,
    kinds: each(
      { names: '' },
      (given) => JSON.parse(given) as unknown,
      (_, size) => names(size / NAME_LENGTH),
    ),
  },
  'a document': {
    size: 100_000,
    kinds: {
      paragraphs: (size) => {
        const sentences = 'A sentence of some forty characters here. '.repeat(8);
        const document = readDocument(
          doc(...Array.from({ length: size / sentences.length }, () => paragraph(text(sentences)))),
        );
        return () => renderDocument(document, pictures);
      },
    },
  },
  'quoted-printable': { size: 300_000, kinds: each(HOSTILE_UNITS, quotedPrintable, hostileText) },
  'the content of a send': { size: 100_000, kinds: each(HOSTILE_UNITS, messageOf, hostileText) },
  'a system mail': { size: 2_000, kinds: each(HOSTILE_UNITS, systemMailOf, hostileText) },
  'a report received by mail': {
    size: REPORT_BYTES,
    kinds: Object.fromEntries(
      Object.entries(REPORT_TEXTS).map(([kind, { start, unit }]) => [
        kind,
        (size: number) => {
          const raw = Buffer.from(start + unit.repeat(size / unit.length));
          return () => readMailReport(raw).catch(() => null);
        },
      ]),
    ),
  },
  'the file of an import': {
    size: 512 * 1024,
    kinds: each(FILE_UNITS, (given) => read(given, false)),
  },
  'the pasted text of an import': {
    size: 512 * 1024,
    kinds: each(FILE_UNITS, (given) => read(given, true)),
  },
  'the longest pasted text': { size: 4_000_000, kinds: each(PASTED_UNITS, (given) => read(given, true)) },
  'the columns of an import': {
    // The size here is the number of columns.
    size: 200,
    kinds: Object.fromEntries(
      Object.entries(CELLS).map(([kind, { value, header }]) => [
        kind,
        (columns: number) => {
          const sampleRows = Array.from({ length: SAMPLE_ROWS }, () => Array<string>(columns).fill(value));
          const headers = Array.from({ length: columns }, (_, n) => `${header}${n}`);
          return () => guessColumns({ hasHeader: true, header: headers, sampleRows }, []);
        },
      ]),
    ),
  },
};
