import { describe, expect, it } from '@jest/globals';
import { formatCount, formatDate, formatDateTime, fullName, initials, plural } from './format';
import { loginPath, routes, safeNext, type RouteName } from './routes';
import { readCookie, storage, writeCookie } from './storage';
import { emailField, logoField, newPasswordField, texts } from './zod-texts';
import { setDisplayZone } from './zone';

describe('counts and dates', () => {
  it('formats singular and plural, numbers and numeric strings', () => {
    expect(plural(1, 'contact')).toBe('1 contact');
    expect(plural('10000', 'contact')).toBe('10,000 contacts');
    expect(plural(0, 'contact')).toBe('0 contacts');
    expect(plural(2, 'list selected', 'lists selected')).toBe('2 lists selected');
    expect(formatCount('1289')).toBe('1,289');
  });

  it('writes dates as Jan 5, 2025', () => {
    expect(formatDate('2025-01-05T12:00:00')).toBe('Jan 5, 2025');
  });

  it("formats times in the account's time zone, with its name", () => {
    try {
      setDisplayZone('America/New_York');
      expect(formatDateTime('2025-01-05T02:04:00Z')).toBe('Jan 4, 2025, 9:04 PM EST');
      expect(formatDate('2025-01-05T02:04:00Z')).toBe('Jan 4, 2025');
      setDisplayZone('Mars/Olympus');
      expect(formatDate('2025-01-05T12:00:00Z')).toBe('Jan 5, 2025');
    } finally {
      setDisplayZone(undefined);
    }
  });

  it('falls back to User and U', () => {
    expect(fullName(null)).toBe('User');
    expect(fullName({ firstName: 'Ana', lastName: null })).toBe('Ana');
    expect(initials({ firstName: 'ana', lastName: 'Lima' })).toBe('AL');
    expect(initials({})).toBe('U');
  });
});

describe('addresses', () => {
  it.each([
    ['/lists?x=1#y', '/lists?x=1#y'],
    ['https://evil.example/', '/'],
    ['//evil.example/lists', '/'],
    ['/\\evil.example', '/'],
    ['/.//evil.example', '/'],
    ['/lists/..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [null, '/'],
  ])('after signing in, %s leads to %s', (next, expected) => {
    expect(safeNext(next)).toBe(expected);
  });

  it('keeps the requested screen in the login address', () => {
    expect(loginPath('/lists?q=a b')).toBe('/login?next=%2Flists%3Fq%3Da%20b');
    expect(loginPath('/')).toBe('/login');
  });

  it('contains no address twice', () => {
    const paths = (Object.keys(routes) as RouteName[]).map((name) => routes[name].path);
    expect(new Set(paths).size).toBe(paths.length);
  });
});

describe('storage', () => {
  it('returns null for an unreadable value', () => {
    localStorage.setItem('x', '{half');
    expect(storage.read('x', (value) => value)).toBeNull();
    storage.write('x', { a: 1 });
    expect(storage.read('x', (value) => value)).toEqual({ a: 1 });
    storage.remove('x');
    expect(storage.read('x', (value) => value)).toBeNull();
  });

  it('sets and reads a cookie', () => {
    writeCookie('sidebar_state', 'false', 60);
    expect(readCookie('sidebar_state')).toBe('false');
    expect(readCookie('other')).toBeNull();
  });
});

describe('the texts of the fields', () => {
  const fault = (
    schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } },
    value: unknown,
  ) => schema.safeParse(value).error?.issues[0]?.message;

  it.each(['', 'nope', 'a@b', 'a b@c.de', `${'x'.repeat(65)}@c.de`])('refuses the address %j', (value) => {
    expect(fault(emailField, value)).toBe(texts.email);
  });

  it.each([
    'dana@northline.example',
    ' dana@northline.example ',
    "o'neil+jobs@sub.domain.co.uk",
    'käte@münchen.example',
  ])('takes the address %j', (value) => {
    expect(fault(emailField, value)).toBeUndefined();
  });

  it('requires 8 to 256 characters for a password and https for a URL', () => {
    expect(fault(newPasswordField, '1234567')).toBe('Password must be at least 8 characters');
    expect(fault(newPasswordField, 'x'.repeat(256))).toBeUndefined();
    expect(fault(newPasswordField, 'x'.repeat(257))).toBe(texts.passwordLong);
    expect(fault(logoField, 'http://a.example/l.png')).toBe(texts.logoUrl);
    expect(fault(logoField, '')).toBeUndefined();
  });
});
