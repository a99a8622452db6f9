import { describe, expect, it } from '@jest/globals';
import { redactPersonalData } from './redact-personal-data.js';

describe('the text of a client error', () => {
  it.each([
    [
      "TypeError: Cannot read properties of undefined (reading 'icon')",
      "TypeError: Cannot read properties of undefined (reading 'icon')",
    ],
    [
      'SyntaxError: Unexpected token \'D\', "Dana Okafor" is not valid JSON',
      'SyntaxError: Unexpected token \'D\', "…" is not valid JSON',
    ],
    ['No contact priya.n@vendor.example here', 'No contact [address] here'],
    ['at Row (https://mail.agency.example/assets/list-C1x9.js:1:2045)', 'at Row (/assets/list-C1x9.js:1:2045)'],
    ['GET /lists/0192d1c4-7a30-7c3e-9d6e-0f6d8a1b2c3d?search=dana failed', 'GET /lists/[id] failed'],
    ['No route /unsubscribe/kJ3x9-Qm_7aBcDeFgHiJkLmNoPqRsTuVwXyZ012345 here', 'No route /unsubscribe/[id] here'],
    ['line\u0000one\u2028two', 'line one two'],
  ])('%j contains no personal data', (text, expected) => {
    expect(redactPersonalData(text)).toBe(expected);
  });

  it('keeps the lines of a stack', () => {
    expect(redactPersonalData('at a (/assets/a.js:1:1)\nat b (/assets/b.js:2:2)')).toBe(
      'at a (/assets/a.js:1:1)\nat b (/assets/b.js:2:2)',
    );
  });
});
