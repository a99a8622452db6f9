import { describe, expect, it } from '@jest/globals';
import { COMMON_PASSWORDS } from './common-passwords.js';
import { PasswordRules } from './password-rules.service.js';

const rules = new PasswordRules();
const check =
  (password: string, email = 'Ann.Kumar+jobs@Acme-Staffing.com') =>
  () =>
    rules.assertUncommon('password', password, email);

describe('passwords', () => {
  it.each([
    'password',
    'Password',
    'PASSWORD1',
    '12345678',
    '1234567890',
    'qwertyuiop',
    'iloveyou',
    'sunshine',
    'Passw0rd',
    'p@ssw0rd',
    'trustno1',
    'letmein1',
    ' password ',
    'ｐａｓｓｗｏｒｄ',
    'aaaaaaaa',
    '00000000',
    '????????',
    'ÜÜÜÜÜÜÜÜÜ',
    '87654321',
    'abcdefgh',
    'HGFEDCBA',
    'ann.kumar+jobs@acme-staffing.com',
    'ANN.KUMAR+JOBS@acme-staffing.com',
    'ann.kumar+jobs',
    'Ann.Kumar',
    'ann.kumar2026',
    'ann.kumar1!',
    'staffcast',
    'Staffcast1',
    'staffcast2026',
  ])('like %j are refused as too common', (password) => {
    const text = 'This password is too common. Choose another.';
    expect(check(password)).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        status: 400,
        message: text,
        details: [{ field: 'password', message: text }],
      }),
    );
  });

  it.each([
    'correct horse battery',
    'Tr0ub4dor&3',
    'a long enough secret',
    'ann.kumar likes horses',
    'aaaaaaab',
    'ü '.repeat(128),
    '🐎 battery staple',
    'kumar.ann.acme',
  ])('like %j are accepted', (password) => {
    expect(check(password)).not.toThrow();
  });

  it("may contain the user's name where that is a single letter", () => {
    expect(check('a horse and its rider', 'a@x.test')).not.toThrow();
  });

  it('on the list of common ones number thousands, are distinct, in lower case and long enough to be entered', () => {
    expect(COMMON_PASSWORDS.length).toBeGreaterThanOrEqual(3_000);
    expect(new Set(COMMON_PASSWORDS).size).toBe(COMMON_PASSWORDS.length);
    expect(COMMON_PASSWORDS.filter((word) => word !== word.toLowerCase() || word.length < 8)).toEqual([]);
  });
});
