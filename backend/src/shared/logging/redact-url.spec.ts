import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REDACTED_UNITS } from '../../../test/kit/samples/hostile-texts.js';
import { spanRedactor } from '../tracing/tracing.js';
import { redactText, redactUrl } from './redact-url.js';

const TOKEN = 'q7Xw-Zr2LkP0_aVb9NcM4tYsE6uHjD1oGfIiRnK8mQ3';
const every = (text: string) => [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('');
const again = (text: string, times: number): string =>
  times === 0 ? text : again(text.replaceAll('%', '%25'), times - 1);

const SPELLINGS = [
  `/unsubscribe/${TOKEN}`,
  `/UNSUBSCRIBE/${TOKEN}`,
  `/Unsubscribe/${TOKEN}?m=1`,
  `/api/Unsubscribe/${TOKEN}/all`,
  `//unsubscribe//${TOKEN}`,
  `/unsubscribe/${TOKEN}.`,
  `/unsubscribe/${TOKEN};v=1`,
  `/unsubscribe;x=1/${TOKEN}`,
  `/unsubscribe%2f${TOKEN}`,
  `/confirm%2F${TOKEN}`,
  `/confirm%252f${TOKEN}`,
  `/%75nsubscribe/${TOKEN}`,
  `/unsubscribe/${every(TOKEN)}`,
  `/unsubscribe/${again(every(TOKEN), 1)}`,
  `/unsubscribe/${again(every(TOKEN), 3)}`,
  `/unsubscribe/${again(every(TOKEN), 12)}`,
  `/./unsubscribe/./${TOKEN}`,
  `/a/../unsubscribe/${TOKEN}`,
  `/unsubscribe\\${TOKEN}`,
  `/unsubscribe/%20${TOKEN}`,
  `/unsubscribe/${TOKEN}%0d%0a`,
  `/unsubscribe/<${TOKEN}>`,
  `/unsubscribe/"${TOKEN}"`,
  `/api/subscribe/confirm/${TOKEN}`,
  `/api/subscribe/CONFIRM/${TOKEN}`,
  `/subscribe/confirmed?token=${TOKEN}`,
  `/subscribe/confirmed?TOKEN=${TOKEN}`,
  `/verify-email?%74oken=${TOKEN}`,
  `/verify-email?%2574oken=${TOKEN}`,
  `/verify-email?token%3D${TOKEN}`,
  `/verify-email?token=%20${TOKEN}`,
  `/verify-email?x=1&amp;token=${TOKEN}`,
  `/verify-email?token=3D${TOKEN}`,
  `/verify-email?token[]=${TOKEN}`,
  `/verify-email?token%5B0%5D=${TOKEN}`,
  `/verify-email#token=${TOKEN}`,
  `/verify-email;token=${TOKEN}`,
  `/verify-email?${TOKEN}`,
  `/verify-email?t=${TOKEN}`,
  `/verify-email/${TOKEN}`,
  `/${TOKEN}`,
  `/x/${TOKEN}/y`,
  `/invite/${TOKEN}`,
  `/INVITE/${TOKEN}`,
  `/register?ref=${TOKEN}`,
  `/register?REF=${TOKEN}`,
  `/reset-password?token=${TOKEN.toLowerCase()}`,
  `/unsubscribe/${TOKEN.toUpperCase()}`,
  `http://user:${TOKEN}@host/`,
  `https://mail.example/unsubscribe/${TOKEN}`,
  `/not-me?token=${TOKEN}&x=%zz`,
  `/unsubscribe/%E2%80%8B${TOKEN}`,
  `*${TOKEN}`,
  `/verify-email?token=${TOKEN.slice(0, 20)}%0a${TOKEN.slice(20)}`,
];
const isHidden = (logged: string): boolean => {
  const text = decodeURIComponent(
    logged.replace(/%(?![0-9a-f]{2})/gi, '%25').replace(/%(8|9|[a-f])/gi, '_'),
  ).toLowerCase();
  // No run of 14 of the 43 characters of the token may appear, whatever its case.
  return !Array.from({ length: TOKEN.length - 13 }, (_, at) => TOKEN.slice(at, at + 14).toLowerCase()).some((piece) =>
    text.includes(piece),
  );
};

describe('a URL in the log', () => {
  it.each(SPELLINGS)('shows no token: %s', (url) => {
    expect([redactUrl(url), isHidden(redactUrl(url))]).toEqual([redactUrl(url), true]);
    expect(isHidden(redactText(`GET ${url} failed`))).toBe(true);
  });

  it('keeps paths and parameters that help debugging', () => {
    for (const url of [
      '/api/email-history/5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d/deliveries?status=failed&limit=50',
      '/api/stripe/reactivate-subscription',
      '/api/email-lists/5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d/subscribers/import',
      '/api/auth/resend-verification',
    ])
      expect(redactUrl(url)).toBe(url);
    expect(redactUrl(`/unsubscribe/${TOKEN}`)).toBe('/unsubscribe/q7Xw-Z…');
    expect(redactUrl('/invite/ABCDEFGHJK')).toBe('/invite/ABCDEF…');
    expect(redactText("[migrator] Applied 'Migration20261121000000_extensions'")).toContain(
      "'Migration20261121000000_extensions'",
    );
    expect(redactText('relation "contacts2_email_unique" exists')).toContain('"contacts2_email_unique"');
    expect(redactText('Migration20261121000000_q7Xw_Zr2LkP0')).not.toContain('Zr2LkP0');
    expect(
      redactText(
        'duplicate key value violates unique constraint "email_delivery_logs_open_index" in BounceListenerOfTheProduct',
      ),
    ).toContain('"email_delivery_logs_open_index" in BounceListenerOfTheProduct');
  });

  it('shows no token in any encoding or position', () => {
    const spelled = fc
      .array(fc.constantFrom(0, 1, 2, 3), { minLength: TOKEN.length, maxLength: TOKEN.length })
      .map((times) =>
        [...TOKEN].map((char, at) => (times[at] === 0 ? char : again(every(char), times[at]! - 1))).join(''),
      );
    const before = fc
      .array(
        fc.constantFrom('/', '//', '?', '&', ';', '=', '.', '%2f', '%3d', 'x', 'unsubscribe', 'Token', '%09', 'é'),
        { maxLength: 6 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(before, spelled, fc.constantFrom('', '/', '?a=b', '.', '%', '%2'), (head, token, tail) =>
        isHidden(redactUrl(`/${head}${token}${tail}`)),
      ),
    );
  });

  it('shows no token beside any text', () => {
    for (const unit of REDACTED_UNITS) {
      const hostile = unit.repeat(Math.ceil(2_000 / unit.length));
      for (const text of [`${hostile} /unsubscribe/${TOKEN}`, `/unsubscribe/${TOKEN} ${hostile}`, `${hostile}${TOKEN}`])
        expect([unit, isHidden(redactText(text))]).toEqual([unit, true]);
    }
  });
});

describe('a span', () => {
  it('is exported without tokens in addresses, events and status', () => {
    const span = {
      attributes: {
        'url.full': `https://mail.example/UNSUBSCRIBE/${TOKEN}`,
        'http.target': `/confirm%2f${TOKEN}`,
        'http.request.header.referer': [`https://mail.example/reset-password?token=${TOKEN}`],
        'user_agent.original': `curl ${TOKEN}`,
        'db.statement': `select '${TOKEN}'`,
      },
      events: [
        {
          name: 'exception',
          attributes: { 'exception.message': `no ${TOKEN}`, 'exception.stacktrace': `Error: ${TOKEN}\n at x` },
        },
      ],
      status: { code: 2, message: `no ${TOKEN}` },
      name: `GET /unsubscribe/${TOKEN}`,
    };
    spanRedactor().onEnd(span as never);
    expect(JSON.stringify(span)).not.toContain(TOKEN.slice(8, 30));
  });
});
