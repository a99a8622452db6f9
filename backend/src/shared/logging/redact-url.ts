/** Of a token so much may be seen: enough to tell two of them apart. */
const SEEN = 6;
/** Runs of the characters that tokens are made of. */
const RUN = /[A-Za-z0-9_-]+/g;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Words of routes, in one case: email-history, UNSUBSCRIBE. */
const ROUTE_WORDS = /^(?:[a-z]{1,14}(?:-[a-z]{1,14}){0,4}|[A-Z]{1,14}(?:-[A-Z]{1,14}){0,4}|\d{1,12})$/;
/** Names as programs have them: users_email_unique, BounceListener. */
const NAME_IN_TEXT = /^(?:[A-Za-z]{1,14}(?:[-_][A-Za-z]{1,14}){1,8}|[A-Z]?[a-z]{1,14}(?:[A-Z][a-z]{1,14}){0,8})$/;
/** The same with one run of digits behind the first word: Migration20261121000000_extensions. */
const NUMBERED_NAME_IN_TEXT = /^[A-Z]?[a-z]{1,14}\d{1,14}(?:_[a-z]{1,14}){1,8}$/;
/** Longest run that no token is. */
const SHORT = 8;
const SHORT_IN_TEXT = 19;
const AFTER_PATH = /(\/(?:unsubscribe|never-ask|confirm|confirmed|invite|opt-out)[/;]+)([^/?#&;\s]+)/gi;
const AFTER_NAME = /((?:token|ref|code)[^A-Za-z0-9_-]{0,3}=)([^&#;/?\s]+)/gi;
const LOOKS_LIKE_URL = /%[0-9a-f]{2}|:\/\/|\/api\/|[?&][\w.-]+=/i;
const LIMIT = 2_000;

const cut = (text: string): string => (text.length > SEEN ? `${text.slice(0, SEEN)}…` : text);

/**
 * A URL as it may stand in a log: decoded, without any part that could be a token, however it is spelled. What stands behind a
 * route or a name that carries tokens is cut, and so is everything else that is no word, number or id.
 */
export function redactUrl(url: string): string {
  const plain = decoded(url.slice(0, LIMIT));
  return named(plain).replace(RUN, (run) => (run.length <= SHORT || ROUTE_WORDS.test(run) || UUID.test(run) ? run : cut(run)));
}

/** A sentence as it may stand in a log: URLs in it are redacted as such, elsewhere long random strings are cut. */
export function redactText(text: string): string {
  return named(text).replace(/\S+/g, (word) => (LOOKS_LIKE_URL.test(word) ? redactUrl(word) : word.replace(RUN, (run) => (run.length <= SHORT_IN_TEXT || NAME_IN_TEXT.test(run) || NUMBERED_NAME_IN_TEXT.test(run) || UUID.test(run) ? run : cut(run)))));
}

const named = (text: string): string => text.replace(AFTER_PATH, (_all, before: string, value: string) => before + cut(value)).replace(AFTER_NAME, (_all, before: string, value: string) => before + cut(value));

/** Percent-encoding undone, also where it is encoded itself; bytes that are no printable ASCII stay encoded, so that no line can be forged. */
function decoded(url: string): string {
  let text = url;
  for (let round = 0; round < 4; round += 1) {
    const next = text.replace(/%(?:25)+(?=[0-9a-f]{2})/gi, '%').replace(/%([2-6][0-9a-f]|7[0-9a-e])/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (next === text) break;
    text = next;
  }
  // Still encoded after that: nobody writes so but to hide something.
  const hidden = /%(?:[2-6][0-9a-f]|7[0-9a-e])/i.exec(text);
  const shown = hidden ? `${text.slice(0, hidden.index)}…` : text;
  return shown.replace(/[^\x20-\x7e…]/g, (char) => (char.charCodeAt(0) < 256 ? `%${char.charCodeAt(0).toString(16).padStart(2, '0')}` : '·'));
}
