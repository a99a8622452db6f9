import { describe, expect, it } from '@jest/globals';
import { companyDomain } from './company-domain.js';

describe('the company domain', () => {
  it.each([
    ['a@acme.example', 'acme.example'],
    ['a@mail.us.acme.com', 'acme.com'],
    ['a@jobs.acme.co.uk', 'acme.co.uk'],
    ['a@acme.com.au', 'acme.com.au'],
    ['a@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a@team.acme.github.io', 'acme.github.io'],
  ])('of %s is %s', (address, domain) => expect(companyDomain(address)).toBe(domain));

  it.each(['a@gmail.com', 'a@yahoo.co.in', 'a@mail.gmx.net', 'a@co.uk', 'a@localhost'])('of %s is none', (address) =>
    expect(companyDomain(address)).toBeNull(),
  );
});
