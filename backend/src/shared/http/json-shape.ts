const MAX_ELEMENTS = 1000;
const MAX_DEPTH = 32;
const MAX_KEYS = 200;
const MAX_KEY_LENGTH = 200;
/** Names in the whole body, of all its objects. */
const MAX_NAMES = 5000;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/**
 * Whether a parsed body is of a shape that the validation after it can take: no width, depth or key length without end, no NUL
 * (PostgreSQL refuses it). One walk, linear in the size of the body. class-transformer, which comes next, compares every key of an
 * object with every other one.
 * @param longList a field of the body itself whose array the caller checks: its length and elements are not looked at
 */
export function isWithinShape(body: unknown, longList?: string): boolean {
  const unseen = longList === undefined ? undefined : (body as Record<string, unknown> | null | undefined)?.[longList];
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && value.includes('\0')) return false;
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        if (value === unseen) continue;
        if (value.length > MAX_ELEMENTS) return false;
        for (const element of value) below.push(element);
        continue;
      }
      let keys = 0;
      for (const key in value) {
        keys += 1;
        if (keys > MAX_KEYS || key.length > MAX_KEY_LENGTH || key.includes('\0')) return false;
        below.push((value as Record<string, unknown>)[key]);
      }
    }
    level = below;
  }
  return true;
}

/**
 * Whether a JSON text has more names than any body needs. Making an object of hundreds of thousands of different names takes the parser
 * itself seconds, so that they are counted before: one walk over the bytes, of which only colons outside texts count.
 */
export function hasTooManyNames(json: Uint8Array): boolean {
  let names = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (byte === COLON && !isText) names += 1;
    if (names > MAX_NAMES) return true;
  }
  return false;
}
