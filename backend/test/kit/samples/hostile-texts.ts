/**
 * Units that make texts on which parsers and regular expressions with quadratic time are slow when they are repeated.
 */
export const HOSTILE_UNITS: Readonly<Record<string, string>> = {
  letters: 'x',
  blanks: ' ',
  tabs: '\t',
  lines: '\n',
  returns: '\r',
  dots: '.',
  words: 'word ',
  longWords: 'Donaudampfschifffahrt',
  addresses: 'a.',
  hosts: 'www.',
  protocolless: '//a.b',
  links: 'https://a.b ',
  linkStarts: 'http://',
  linkBrackets: 'http://a.b/(((',
  round: '(',
  square: '[',
  curly: '{{a',
  angle: '<',
  quotes: '"',
  apostrophes: "'",
  ampersands: '&',
  entities: '&lt',
  tildes: '~~',
  stars: '**',
  ats: 'a@',
  mails: 'a@b.c,',
  groups: 'a:b;',
  commas: 'a,',
  hyphens: '-',
  equals: '=',
  encodedWords: '=?utf-8?q?a?= ',
  percents: '%00',
  backslashes: '\\',
  digits: '0',
  hebrew: 'אa',
  override: '\u202ea',
  combining: 'a\u0301',
  cjk: '語',
  emoji: '👩‍👩‍👧‍👦',
  bidi: 'שלום\u202eabc ',
  loneSurrogates: '\ud800',
  noBreak: '\u00a0',
  separators: '\u2028',
  tags: '<a href=',
};

/** A text of about this length, with a letter at both ends so that trimming does not shorten it. */
export const hostileText = (unit: string, length: number): string =>
  `x${unit.repeat(Math.max(0, Math.floor((length - 2) / unit.length)))}x`;

/** Incomplete merge tags. */
export const TAG_UNITS = ['{{', '{{a|', '{{a', '{{a}', ' {{ a | default: "'] as const;
/** Incomplete URLs, for texts with merge tags. */
export const LINK_UNITS = ['a.', 'w', 'ww.', ':/', '://', ':', '.', '?', '< '] as const;
/** Incomplete links, mail addresses and telephone numbers. */
export const CONTACT_UNITS = ['a.', '1 ', '+', 'www.', '@', ':', '\u200b'] as const;
/** Incomplete tokens in logged URLs. */
export const REDACTED_UNITS = ['%25', '%', 'a', 'a-', '/unsubscribe/', 'token=', '%2525', ' ', 'é', '&'] as const;

/** Units for delimited files and pasted recipients. */
export const FILE_UNITS: Readonly<Record<string, string>> = {
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
const pasted = ['lines', 'groups', 'commas', 'openBrackets', 'closedQuotes', 'recipients', 'manyCells'];
/** Units for pasted texts with the size limit of a request. */
export const PASTED_UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(pasted.map((kind) => [kind, FILE_UNITS[kind]!])),
  quoted: 'a,"b",',
  addresses: 'a@x;',
  list: 'a@x,',
  blanks: ';',
};

/** Cells and headers that nearly match a known kind. */
export const CELLS: Readonly<Record<string, { value: string; header: string }>> = {
  words: { value: 'hello', header: 'x' },
  'almost dates': { value: 'may 1 x', header: 'x' },
  dates: { value: '22-Nov-25', header: 'x' },
  addresses: { value: 'Ann <a@b.co>', header: 'x' },
  'phone numbers': { value: '+1 (512) 555-0142', header: 'x' },
  'long headers': { value: '', header: 'candidateemail'.repeat(14) },
  'almost known headers': { value: '', header: 'candidatefulnamex' },
};

const part = (type: string) =>
  `Content-Type: multipart/report; report-type=delivery-status; boundary=a\r\n\r\n--a\r\nContent-Type: ${type}\r\n\r\n`;
const REPORT_STARTS: Readonly<Record<string, string>> = {
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
const REPORT_UNITS: Readonly<Record<string, string>> = {
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
/** Beginnings of received mails, each with a unit that is repeated after it. */
export const REPORT_TEXTS: Readonly<Record<string, { start: string; unit: string }>> = Object.fromEntries(
  Object.entries(REPORT_STARTS).flatMap(([where, start]) =>
    Object.entries(REPORT_UNITS).map(([kind, unit]) => [`${kind} in ${where}`, { start, unit }]),
  ),
);
