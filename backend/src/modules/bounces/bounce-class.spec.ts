import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bounceOf } from './bounce-class.js';
import { addressOf, readFieldGroups } from './mail-report.js';

const group = (fields: Record<string, string>) =>
  readFieldGroups(
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\r\n'),
  )[0]!;

describe('bounceOf', () => {
  it.each([
    ['failed', '5.1.1', 'smtp; 550 5.1.1 no such user', 'hard-address', '5.1.1'],
    ['failed', '5.1.10', 'smtp; 556 5.1.10 null mx', 'hard-address', '5.1.10'],
    ['Failed (relayed)', '5.0.0', 'smtp; 550 5.1.1 unknown', 'hard-address', '5.1.1'],
    ['failed', '5.0.0', 'smtp; 552 mailbox over quota. Unknown user? See our help', 'mailbox-soft', '5.0.0'],
    ['failed', '5.0.0', 'smtp; 550 user unknown', 'mailbox-soft', '5.0.0'],
    ['failed', '5.2.2', 'smtp; 552 5.2.2 full', 'mailbox-soft', '5.2.2'],
    ['failed', '4.4.7', 'smtp; 451 timed out', 'expired', '4.4.7'],
    ['failed', '4.0.0', 'smtp; 550 5.1.1 no such user', 'expired', '4.0.0'],
    ['failed', '4.2.2', '', 'mailbox-soft', '4.2.2'],
    ['failed', '5.4.4', 'no route', 'expired', '5.4.4'],
    ['failed', '5.7.26', 'smtp; 550-5.7.26 not authenticated, user unknown', 'policy', '5.7.26'],
    ['failed', '5.3.4', 'too big', 'policy', '5.3.4'],
    ['failed', '', 'smtp; 550 No such user here', 'hard-address', null],
    ['failed', '', 'smtp; 550 go away', 'mailbox-soft', null],
    ['failed', '', '', 'mailbox-soft', null],
  ])('%s %s (%s) is %s', (action, status, diagnostic, name, code) => {
    expect(bounceOf(group({ Action: action, Status: status, 'Diagnostic-Code': diagnostic }))).toMatchObject({
      class: name,
      code,
    });
  });

  it.each(['delayed', 'delivered', 'relayed', 'expanded', 'nonsense', ''])('%s is no final result', (action) => {
    expect(bounceOf(group({ Action: action, Status: '5.1.1' }))).toBeNull();
  });
});

describe('readFieldGroups', () => {
  const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,20}$/);
  const value = fc.stringMatching(/^[!-~]{1,20}( [!-~]{1,20}){0,4}$/);
  const fields = fc.uniqueArray(fc.tuple(name, value), {
    selector: ([key]) => key.toLowerCase(),
    minLength: 1,
    maxLength: 8,
  });

  it('reads fields with any folding and any line ends', () => {
    fc.assert(
      fc.property(
        fc.array(fields, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        fc.boolean(),
        (groups, crlf, folded) => {
          const end = crlf ? '\r\n' : '\n';
          const text = groups
            .map((one) =>
              one.map(([key, said]) => `${key}: ${folded ? said.replaceAll(' ', `${end}\t`) : said}`).join(end),
            )
            .join(end + end);
          expect(readFieldGroups(text).map((one) => [...one])).toEqual(
            groups.map((one) => one.map(([key, said]) => [key.toLowerCase(), said])),
          );
        },
      ),
    );
  });

  it('accepts any text without an error', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ':', ' ', '\r', '\n', '\t', ';', '\0', 'é', '.', '5'), maxLength: 300 }),
        (text) => {
          for (const one of readFieldGroups(text)) bounceOf(one);
        },
      ),
    );
  });

  it('reads addresses in all their forms', () => {
    for (const dressed of [
      'rfc822; Jane@Example.com',
      'rfc822;<jane@example.com>',
      'utf-8; jane@example.com',
      '<jane@example.com>',
      'jane@example.com',
    ]) {
      expect(addressOf(dressed)).toBe('jane@example.com');
    }
    expect(addressOf('rfc822;jane+2Btag@example.com')).toBe('jane+tag@example.com');
  });
});
