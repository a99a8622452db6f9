const MAX_ELEMENTS = 1000;
const MAX_DEPTH = 32;
const MAX_KEYS = 200;
const MAX_KEY_LENGTH = 200;
/** Maximum number of property names in a body, over all of its objects. */
const MAX_NAMES = 5000;
/**
 * Maximum number of property names in a body with a rich document. The document has up to 5,000 nodes, each with type,
 * attributes, content and marks.
 */
export const DOCUMENT_NAMES = 60_000;
/** Maximum length of an array in a rich document. */
const DOCUMENT_ELEMENTS = 10_000;
const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];

/**
 * Whether a parsed body is safe to validate: bounded width, depth and key length, and no NUL (which PostgreSQL
 * refuses). Runs in linear time, unlike class-transformer, which compares every key of an object with every other key.
 * @param fields.longList field whose array may be longer, because the caller checks it
 * @param fields.document field with a rich document, such as `send.document`, whose arrays may be longer
 */
export function isWithinShape(body: unknown, fields: { longList?: string; document?: string } = {}): boolean {
  const unseen = fieldOf(body, fields.longList);
  const document = fieldOf(body, fields.document);
  if (typeof document !== 'object' || document === null) return isFlatEnough([body], 0, MAX_ELEMENTS, unseen);
  return (
    isFlatEnough([document], 1, DOCUMENT_ELEMENTS, unseen) &&
    isFlatEnough([withoutField(body as object, fields.document!.split('.'))], 0, MAX_ELEMENTS, unseen)
  );
}

/** @param path name of a field of the body, or a path such as `send.document` */
function fieldOf(body: unknown, path: string | undefined): unknown {
  let value = path === undefined ? undefined : body;
  for (const name of path?.split('.') ?? [])
    value =
      typeof value === 'object' && value !== null && Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined;
  return value;
}

const withoutField = (body: object, [name, ...rest]: string[]): object => ({
  ...body,
  [name!]: rest.length === 0 ? null : withoutField((body as Record<string, object>)[name!]!, rest),
});

function isFlatEnough(start: unknown[], startDepth: number, maxElements: number, unseen: unknown): boolean {
  let level = start;
  for (let depth = startDepth; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string' && value.includes('\0')) return false;
      if (typeof value !== 'object' || value === null) continue;
      if (Array.isArray(value)) {
        if (value === unseen) continue;
        if (value.length > maxElements) return false;
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
 * Whether JSON text has more than `most` property names. Checked before parsing, because parsing hundreds of thousands
 * of distinct names takes seconds. Counts the colons outside strings in one pass.
 */
export function hasTooManyNames(json: Uint8Array, most = MAX_NAMES): boolean {
  let names = 0;
  let isText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isText && byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) isText = !isText;
    else if (byte === COLON && !isText) names += 1;
    if (names > most) return true;
  }
  return false;
}
