import { isUuid } from '../text/formats.js';

/** Number of characters that remain of a token, enough to tell two tokens apart. */
const VISIBLE_LENGTH = 6;
/** Runs of characters that tokens consist of. */
const TOKEN_RUN = /[A-Za-z0-9_-]+/g;
/** Route words in a single case, or numbers: email-history, UNSUBSCRIBE, 42. */
const ROUTE_WORDS = /^(?:[a-z]{1,14}(?:-[a-z]{1,14}){0,4}|[A-Z]{1,14}(?:-[A-Z]{1,14}){0,4}|\d{1,12})$/;
/** Identifiers in code: users_email_unique, BounceListener. */
const NAME_IN_TEXT = /^(?:[A-Za-z]{1,14}(?:[-_][A-Za-z]{1,14}){1,8}|[A-Z]?[a-z]{1,14}(?:[A-Z][a-z]{1,14}){0,8})$/;
/** Identifiers with digits after their first word: Migration20261121000000_extensions. */
const NUMBERED_NAME_IN_TEXT = /^[A-Z]?[a-z]{1,14}\d{1,14}(?:_[a-z]{1,14}){1,8}$/;
/** Runs of at most this length are never tokens. */
const SHORT_RUN = 8;
const SHORT_IN_TEXT = 19;
const AFTER_PATH =
  /(\/(?:files(?:\/links)?|unsubscribe|never-ask|mail-settings|confirm|confirmed|invite|opt-out|notification-opt-out)[/;]+)([^/?#&;\s]+)/gi;
const AFTER_NAME = /((?:token|ref|code)[^A-Za-z0-9_-]{0,3}=)([^&#;/?\s]+)/gi;
const LOOKS_LIKE_URL = /%[0-9a-f]{2}|:\/\/|\/api\/|[?&][\w.-]+=/i;
const MAX_URL_LENGTH = 2_000;

const cut = (text: string): string => (text.length > VISIBLE_LENGTH ? `${text.slice(0, VISIBLE_LENGTH)}…` : text);

/**
 * Redacts a URL for the log. Decodes it and cuts everything that could be a token in any encoding: the values after
 * routes and parameters that carry tokens, and every run that is not a word, a number or an id.
 */
export function redactUrl(url: string): string {
  const plain = decoded(url.slice(0, MAX_URL_LENGTH));
  return named(plain).replace(TOKEN_RUN, (run) =>
    run.length <= SHORT_RUN || ROUTE_WORDS.test(run) || isUuid(run) ? run : cut(run),
  );
}

/** Redacts a text for the log: URLs as by redactUrl, and long random strings elsewhere. */
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
 * Decodes percent-encoding, even if nested. Keeps bytes outside printable ASCII encoded, so that nobody can forge log
 * lines.
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
  // Text that is still encoded after several rounds was probably meant to hide something.
  const hidden = /%(?:[2-6][0-9a-f]|7[0-9a-e])/i.exec(text);
  const shown = hidden ? `${text.slice(0, hidden.index)}…` : text;
  return shown.replace(/[^\x20-\x7e…]/g, (char) =>
    char.charCodeAt(0) < 256 ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : '·',
  );
}
