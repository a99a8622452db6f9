import { describe, expect, it } from '@jest/globals';
import { AllPageParts, mayBeSignedIn, NO_PARTS, withParts } from './page-parts.js';

const page = (path: string, audience: 'guests' | 'signed-in' | 'all', head: string) => ({
  path,
  audience,
  head,
  root: '',
  cover: '',
});
const parts = new AllPageParts([
  page('/', 'guests', 'landing'),
  page('/', 'signed-in', 'dashboard'),
  page('/login', 'guests', 'login'),
  page('/lists/:id', 'signed-in', 'list'),
  page('/unsubscribe/:token', 'all', 'unsubscribe'),
]);

describe('the parts of a page', () => {
  it.each([
    ['/', true, 'landing'],
    ['/', false, 'dashboard'],
    ['/login', true, 'login'],
    ['/login', false, ''],
    ['/lists/4711', false, 'list'],
    ['/lists/4711', true, ''],
    ['/unsubscribe/tok', true, 'unsubscribe'],
    ['/unsubscribe/tok', false, 'unsubscribe'],
    ['/lists', true, ''],
  ])('at %s (guest: %s) are those of %s', (path, isGuest, head) => {
    expect(parts.of(path, isGuest).head).toBe(head);
  });

  it('are chosen by the session cookies, on plain http and on https', () => {
    expect(mayBeSignedIn(undefined)).toBe(false);
    expect(mayBeSignedIn('staffcast_visitor=x; sidebar_state=true')).toBe(false);
    expect(mayBeSignedIn('sidebar_state=true; staffcast_access=x')).toBe(true);
    expect(mayBeSignedIn('__Host-staffcast_refresh=x')).toBe(true);
  });

  it('are inserted unchanged, also with characters that String.replace treats as special', () => {
    const html = '<html><head></head><body><div id="root"></div></body></html>';
    expect(withParts(html, NO_PARTS)).toBe(html);
    expect(withParts(html, { head: '<link>', root: "<p>$& $'</p>", cover: '' })).toBe(
      `<html><head><link></head><body><div id="root"><p>$& $'</p></div></body></html>`,
    );
    expect(withParts(html, { head: '', root: '', cover: '<p>Sign in</p>' })).toContain(
      '<div id="prerendered" inert><p>Sign in</p></div><div id="root"></div>',
    );
  });

  it('are empty without a build', () => {
    expect(AllPageParts.read('/nowhere/pages.json').of('/', true)).toBe(NO_PARTS);
  });
});
