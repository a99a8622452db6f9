import { describe, expect, it } from '@jest/globals';
import { type CheckedMessage, checkMessage, readDocument, webHostsOf } from '../../../src/modules/composing/index.js';
import { documentText } from '../../../src/modules/composing/checks/document-text.js';
import { doc, mergeTag, paragraph, text } from '../../kit/samples/documents.js';

const FINE =
  'We are looking for a senior Java developer in Hartford CT. Hybrid, two days a week. $60/hr on C2C. Send profiles with the expected rate, location and availability please.';
const message = (given: Partial<CheckedMessage> = {}): CheckedMessage => ({
  emailType: 'job-post',
  subject: 'Senior Java developer, Hartford CT',
  preheader: '',
  content: FINE,
  document: null,
  htmlBytes: 4_000,
  ...given,
});
const found = (given: Partial<CheckedMessage>) =>
  checkMessage(message(given)).filter(({ level }) => level !== 'passed');
const codes = (given: Partial<CheckedMessage>) => found(given).map(({ code }) => code);
const content = (more: string) => ({ content: `${FINE}\n${more}` });

describe('the check of a message', () => {
  it('finds nothing in a plain post', () => expect(found({})).toEqual([]));

  it.each<[string, Partial<CheckedMessage>, string[]]>([
    ['blanks', content('Client: [client name], start [date]'), ['[client name]', '[date]']],
    ['link_http', content('See http://jobs.acme.com/java.'), ['http://jobs.acme.com/java']],
    ['link_private', content('See https://192.168.1.4/x'), ['https://192.168.1.4/x']],
    ['link_private', content('See http://3232235777/'), ['http://3232235777/']],
    ['link_private', content('See http://[::1]/'), ['http://[::1]/']],
    ['link_private', content('See http://169.254.169.254/latest'), ['http://169.254.169.254/latest']],
    ['link_private', content('See https://wiki.corp.internal/x'), ['https://wiki.corp.internal/x']],
    ['link_shortened', content('See https://bit.ly/3xYz'), ['https://bit.ly/3xYz']],
    ['subject_reply', { subject: 'RE: Java developer' }, ['RE:']],
    ['subject_reply', { subject: 'Fwd : Java developer' }, ['Fwd :']],
    ['subject_capitals', { subject: 'URGENT NEED java dev' }, []],
    ['subject_length', { subject: 'x '.repeat(40) }, []],
    ['identifier', content('Candidate SSN 123-45-6789'), ['SSN 123-45-6789']],
    ['identifier', content('DOB: 04/12/1988'), ['DOB: 04/12/1988']],
    ['identifier', content('Passport No: K1234567'), ['Passport No: K1234567']],
    ['citizenship', content('USC/GC only please'), ['USC/GC only']],
    ['citizenship', content('US citizens only'), ['US citizens']],
    ['citizenship', content('H1B only.'), ['H1B only']],
    ['citizenship', content('no OPT/CPT'), ['no OPT']],
    ['age', content('Ideal for recent graduates'), ['recent graduates']],
    ['age', content('Must be under 35'), ['under 35']],
    ['protected_trait', content('Male only'), ['Male only']],
    ['protected_trait', content('Native English speaker'), ['Native English speaker']],
    ['filter_words', content('URGENT!!! Need profiles'), ['URGENT!!!']],
    ['filter_words', content('Placement is 100% guaranteed'), ['100% guaranteed']],
    ['filter_words', content('Earn $$$ now'), ['$$$']],
    ['foreign_tag', content('Hi %FIRSTNAME%'), ['%FIRSTNAME%']],
    ['foreign_tag', content('Hi *|FNAME|*'), ['*|FNAME|*']],
    ['html_size', { htmlBytes: 118 * 1024 }, []],
    ['no_rate', { content: 'We are looking for a Java developer in Hartford.' }, []],
  ])('finds %s', (code, given, words) => {
    const items = found(given);
    expect(items.map((item) => item.code)).toContain(code);
    const item = items.find((one) => one.code === code)!;
    if (words.length > 0) expect(item.words).toEqual(words);
    if (item.where && words.length > 0) {
      const part = message(given)[item.where.part];
      expect(part.slice(item.where.from, item.where.to)).toBe(words[0]);
    }
  });

  it.each([
    'No citizenship restrictions, any visa is fine.',
    'Equal opportunity employer: regardless of citizenship, age, sex, religion or national origin.',
    'We do not discriminate against US citizens or green card holders.',
    'Call 860-555-0143, ZIP 06103-1234, job id 123-4567-89.',
    'Node.js, ASP.NET and Socket.io: 5 years each. The young company uses Go.',
    'Rate is $65/hr all inclusive. Passport renewal portal project.',
    'Citizens Bank is the client; work on citizen services portal.',
  ])('finds no condition and no number in "%s"', (line) =>
    expect(
      codes(content(line)).filter((code) => ['citizenship', 'age', 'protected_trait', 'identifier'].includes(code)),
    ).toEqual([]),
  );

  it('tells links in a document that go elsewhere than their texts say, and counts places in its flat text', () => {
    const link = (shown: string, href: string) => text(shown, { type: 'link', attrs: { href } });
    const document = readDocument(
      doc(
        paragraph('Hi ', mergeTag('first_name', 'there'), ','),
        paragraph(
          'apply at ',
          link('www.acme.com', 'https://jobs.evil-site.com/a'),
          ' or ',
          link('Node.js', 'https://nodejs.org/'),
        ),
      ),
    );
    const flat = documentText(document).text;
    expect(flat).toBe('Hi {{first_name|there}},\napply at www.acme.com or Node.js\n');
    const item = found({ content: '', document }).find(({ code }) => code === 'link_mismatch')!;
    expect(item.words).toEqual(['https://jobs.evil-site.com/a']);
    expect(flat.slice(item.where!.from, item.where!.to)).toBe('www.acme.com');
  });

  it('names each host once, and none of a private network or without a name', () =>
    expect(
      webHostsOf(
        message(
          content('https://a.com/1 https://a.com/2 http://10.0.0.1/ https://b.org http://localhost/x https://8.8.8.8/'),
        ),
      ),
    ).toEqual(['a.com', 'b.org']));

  it.each([
    ['braces', '{'.repeat(100_000)],
    ['brackets', '['.repeat(100_000)],
    ['links', 'https://jobs.acme.com/x '.repeat(4_000)],
    ['dollars', '$'.repeat(100_000)],
    ['words', 'no '.repeat(33_000)],
    ['phrases', 'US citizens only regardless '.repeat(3_500)],
    ['passports', 'passport '.repeat(11_000)],
    ['half characters', '\ud800'.repeat(10_000)],
    ['urgent', 'urgent '.repeat(14_000)],
  ])('reads hostile texts to their end: %s', (_name, hostile) => {
    const started = performance.now();
    for (const item of checkMessage(message({ content: hostile })))
      if (item.where) expect(item.where.to).toBeLessThanOrEqual(hostile.length);
    const ms = Math.round(performance.now() - started);
    if (ms > 200) console.warn(`${_name}: ${ms} ms`);
  });
});
