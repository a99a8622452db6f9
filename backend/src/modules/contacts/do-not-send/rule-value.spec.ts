import { describe, expect, it } from '@jest/globals';
import { readRuleValue } from './rule-value.js';

describe('readRuleValue', () => {
  it.each([
    'client.example',
    '@client.example',
    'CLIENT.Example',
    'client.example.',
    'https://client.example/jobs?id=7',
    'http://www.client.example:8080',
    'www.client.example',
    'client.example/careers',
    'client.example:25',
    '  client.example ',
  ])('reads %s as the domain', (typed) => {
    expect(readRuleValue(typed)).toEqual({
      kind: 'domain',
      value: 'client.example',
      addressHash: null,
      companyDomain: 'client.example',
    });
  });

  it('reads a domain in Unicode and in punycode as the same', () => {
    const wire = readRuleValue('xn--bcher-kva.example');
    expect(wire?.value).toBe('xn--bcher-kva.example');
    for (const twin of ['bücher.example', 'BÜCHER.example', 'https://bücher.example/x', 'bu\u0308cher.example'])
      expect(readRuleValue(twin)).toEqual(wire);
  });

  it('keeps a subdomain, and its registrable domain', () => {
    expect(readRuleValue('jobs.client.co.uk')).toMatchObject({
      value: 'jobs.client.co.uk',
      companyDomain: 'client.co.uk',
    });
  });

  it('has no company domain for a free-mail domain', () => {
    expect(readRuleValue('gmail.com')).toMatchObject({ kind: 'domain', value: 'gmail.com', companyDomain: null });
  });

  it.each([
    'jane@client.example',
    'Jane@CLIENT.example',
    'Jane Doe <jane@client.example>',
    'mailto:jane@client.example?subject=Hi',
    'jane@client.example.',
  ])('reads %s as the address', (typed) => {
    expect(readRuleValue(typed)).toMatchObject({ kind: 'address', value: 'jane@client.example', companyDomain: null });
  });

  it.each([
    '',
    ' ',
    '@',
    'client',
    'co.uk',
    'github.io',
    'com',
    '*.client.example',
    '192.0.2.1',
    'http://192.0.2.1/',
    '[::1]',
    'https://jane@client.example/',
    'jane@',
    'two words',
    'a@b@c',
    'jane@co.uk',
    'ftp://client.example',
    'javascript:alert(1)',
    'client.example\0',
    `${'a'.repeat(64)}.example`,
    'x'.repeat(5_000),
  ])('refuses %j', (typed) => {
    expect(readRuleValue(typed)).toBeNull();
  });
});
