import { isUuid } from '../text/formats.js';

/** Number of characters of a token that stay visible, enough to tell two tokens apart. */
const VISIBLE_LENGTH = 6;
/** Runs of token characters. */
const TOKEN_RUN = /[A-Za-z0-9_-]+/g;
/** Words of routes in one case: email-history, UNSUBSCRIBE. */
const ROUTE_WORDS = /^(?:[a-z]{1,14}(?:-[a-z]{1,14}){0,4}|[A-Z]{1,14}(?:-[A-Z]{1,14}){0,4}|\d{1,12})$/;
/** Identifiers of programs: users_email_unique, BounceListener. */
const NAME_IN_TEXT = /^(?:[A-Za-z]{1,14}(?:[-_][A-Za-z]{1,14}){1,8}|[A-Z]?[a-z]{1,14}(?:[A-Z][a-z]{1,14}){0,8})$/;
/** Identifiers with digits after the first word: Migration20261121000000_extensions. */
const NUMBERED_NAME_IN_TEXT = /^[A-Z]?[a-z]{1,14}\d{1,14}(?:_[a-z]{1,14}){1,8}$/;
/** Runs up to this length are never tokens. */
const SHORT_RUN = 8;
const SHORT_IN_TEXT = 19;
const AFTER_PATH =
  /(\/(?:files(?:\/links)?|unsubscribe|never-ask|mail-settings|confirm|confirmed|invite|opt-out|notification-opt-out)[/;]+)([^/?#&;\s]+)/gi;
const AFTER_NAME = /((?:token|ref|code)[^A-Za-z0-9_-]{0,3}=)([^&#;/?\s]+)/gi;
const LOOKS_LIKE_URL = /%[0-9a-f]{2}|:\/\/|\/api\/|[?&][\w.-]+=/i;
const MAX_URL_LENGTH = 2_000;

const cut = (text: string): string => (text.length > VISIBLE_LENGTH ? `${text.slice(0, VISIBLE_LENGTH)}…` : text);

/**
 * A URL for the log: decoded, without anything that could be a token in any encoding. Everything after a route or
 * parameter that carries tokens is cut, as is everything that is not a word, number or id.
 */
export function redactUrl(url: string): string {
  const plain = decoded(url.slice(0, MAX_URL_LENGTH));
  return named(plain).replace(TOKEN_RUN, (run) =>
    run.length <= SHORT_RUN || ROUTE_WORDS.test(run) || isUuid(run) ? run : cut(run),
  );
}

/** A sentence for the log: URLs are redacted as such, long random strings elsewhere are cut. */
export function redactText(text: string): string {
  return named(text).replace(/\S+/g, (word) =>
    LOOKS_LIKE_URL.test(word)
      ? redactUrl(word)
      : word.replace(TOKEN_RUN, (run) =>
          run.length <= SHORT_IN_TEXT || NAME_IN_TEXT.test(run) || NUMBERED_NAME_IN_TEXT.test(run) || isUuid(run)
            ? run
            : cut(run),
        ),
  );
}

const named = (text: string): string =>
  text
    .replace(AFTER_PATH, (_all, before: string, value: string) => before + cut(value))
    .replace(AFTER_NAME, (_all, before: string, value: string) => before + cut(value));

/**
 * Undoes percent-encoding, also nested. Bytes outside printable ASCII stay encoded, so that log lines cannot be forged.
 */
function decoded(url: string): string {
  let text = url;
  for (let round = 0; round < 4; round += 1) {
    const next = text
      .replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%')
      .replace(/%([2-6][0-9a-f]|7[0-9a-e])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === text) break;
    text = next;
  }
  // Still encoded after several passes: an attempt to hide something.
  const hidden = /%(?:[2-6][0-9a-f]|7[0-9a-e])/i.exec(text);
  const shown = hidden ? `${text.slice(0, hidden.index)}…` : text;
  return shown.replace(/[^\x20-\x7e…]/g, (char) =>
    char.charCodeAt(0) < 256 ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : '·',
  );
}
