import { describe, expect, it } from '@jest/globals';
import { formatCount, formatDate, formatDateTime, fullName, initials, plural, setDisplayZone } from './format';
import { creditText, limitText, mayUpgrade, planLabel, usageText } from './plan';
import { isReady, loginPath, routes, safeNext, type RouteName } from './routes';
import { readCookie, storage, writeCookie } from './storage';
import { emailField, logoField, newPasswordField, texts } from './zod-texts';

describe('counts and dates', () => {
  it('speaks of one and of many, of numbers and of numeric strings', () => {
    expect(plural(1, 'contact')).toBe('1 contact');
    expect(plural('10000', 'contact')).toBe('10,000 contacts');
    expect(plural(0, 'contact')).toBe('0 contacts');
    expect(plural(2, 'list selected', 'lists selected')).toBe('2 lists selected');
    expect(formatCount('1289')).toBe('1,289');
  });

  it('writes dates as Jan 5, 2025', () => {
    expect(formatDate('2025-01-05T12:00:00')).toBe('Jan 5, 2025');
  });

  it('times are those of the account, with its zone named', () => {
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

describe('the plan', () => {
  const free = { plan: 'free', dailyLimit: 1, sentToday: 0 };

  it('is said as the entitlements have it', () => {
    expect([planLabel('free'), limitText(1), limitText(25), limitText(0), limitText(null)]).toEqual(['Free', '1 send a day', '25 sends a day', '0 sends a day', 'Unlimited sends']);
    expect([usageText(free), usageText({ ...free, dailyLimit: null, sentToday: 1200 })]).toEqual(['0 of 1 sent today', '1,200 sent today, unlimited']);
    expect([creditText('0'), creditText('1'), creditText('2')]).toEqual([null, '1 month free from referrals', '2 months free from referrals']);
  });

  it('is offered to Free without a referral month', () => {
    expect(mayUpgrade({ entitlements: free, referralCreditsMonths: '0' })).toBe(true);
    expect(mayUpgrade({ entitlements: free, referralCreditsMonths: '1' })).toBe(false);
    expect(mayUpgrade({ entitlements: { ...free, plan: 'pro' }, referralCreditsMonths: '0' })).toBe(false);
  });
});

describe('addresses', () => {
  it.each([
    ['/lists?x=1#y', '/lists?x=1#y'],
    ['https://evil.example/', '/'],
    ['//evil.example/lists', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    [null, '/'],
  ])('after signing in, %s leads to %s', (next, expected) => {
    expect(safeNext(next)).toBe(expected);
  });

  it('keeps the wanted screen in the login address', () => {
    expect(loginPath('/lists?q=a b')).toBe('/login?next=%2Flists%3Fq%3Da%20b');
    expect(loginPath('/')).toBe('/login');
  });

  it('knows no address twice', () => {
    const paths = (Object.keys(routes) as RouteName[]).map((name) => routes[name].path);
    expect(new Set(paths).size).toBe(paths.length);
    expect(isReady('lists')).toBe(true);
  });
});

describe('storage', () => {
  it('gives nothing for what it cannot read', () => {
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
  const fault = (schema: { safeParse: (value: unknown) => { error?: { issues: { message: string }[] } } }, value: unknown) => schema.safeParse(value).error?.issues[0]?.message;

  it.each(['', 'nope', 'a@b', 'a b@c.de', `${'x'.repeat(65)}@c.de`])('refuses the address %j', (value) => {
    expect(fault(emailField, value)).toBe(texts.email);
  });

  it.each(['dana@northline.example', ' dana@northline.example ', "o'neil+jobs@sub.domain.co.uk", 'käte@münchen.example'])('takes the address %j', (value) => {
    expect(fault(emailField, value)).toBeUndefined();
  });

  it('wants 8 to 256 characters and https', () => {
    expect(fault(newPasswordField, '1234567')).toBe('Password must be at least 8 characters');
    expect(fault(newPasswordField, 'x'.repeat(256))).toBeUndefined();
    expect(fault(newPasswordField, 'x'.repeat(257))).toBe(texts.passwordLong);
    expect(fault(logoField, 'http://a.example/l.png')).toBe(texts.logoUrl);
    expect(fault(logoField, '')).toBeUndefined();
  });
});
