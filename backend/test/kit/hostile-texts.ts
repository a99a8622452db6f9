/** Repeated, these make texts that parsers and patterns of quadratic time choke on. */
export const HOSTILE_UNITS: Readonly<Record<string, string>> = {
  letters: 'x', blanks: ' ', tabs: '\t', lines: '\n', returns: '\r', dots: '.', words: 'word ', longWords: 'Donaudampfschifffahrt', addresses: 'a.', hosts: 'www.', protocolless: '//a.b',
  links: 'https://a.b ', linkStarts: 'http://', linkBrackets: 'http://a.b/(((', round: '(', square: '[', curly: '{{a', angle: '<', quotes: '"', apostrophes: "'", ampersands: '&', entities: '&lt',
  tildes: '~~', stars: '**', ats: 'a@', mails: 'a@b.c,', groups: 'a:b;', commas: 'a,', hyphens: '-', equals: '=', encodedWords: '=?utf-8?q?a?= ', percents: '%00', backslashes: '\\', digits: '0',
  hebrew: 'אa', override: '\u202ea', combining: 'a\u0301', cjk: '語', emoji: '👩‍👩‍👧‍👦', bidi: 'שלום\u202eabc ', loneSurrogates: '\ud800', noBreak: '\u00a0', separators: '\u2028', tags: '<a href=',
};

/** Texts of about a length, a few characters at both ends so that nothing trims them away. */
export const hostileText = (unit: string, length: number): string => `x${unit.repeat(Math.max(0, Math.floor((length - 2) / unit.length)))}x`;
