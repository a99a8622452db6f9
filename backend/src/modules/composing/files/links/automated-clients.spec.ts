import { describe, expect, it } from '@jest/globals';
import { isAutomatedClient } from './automated-clients.js';

describe('a download', () => {
  it.each([
    [null, true],
    ['', true],
    ['Mozilla/5.0', true],
    ['Barracuda Sentinel (EE)', true],
    ['curl/8.5.0', true],
    ['Googlebot/2.1', true],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
      false,
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      false,
    ],
  ])('by %j is one of a program: %j', (agent, isOne) => expect(isAutomatedClient(agent)).toBe(isOne));
});
