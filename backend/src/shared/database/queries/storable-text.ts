/**
 * Makes a text that PostgreSQL can store, also within jsonb: without NUL and lone surrogates, and with at most `length`
 * UTF-16 units. Never cuts inside a character.
 */
export function storableText(text: string, length = Infinity): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '') : text;
  if (clean.length <= length) return clean.toWellFormed();
  const last = clean.charCodeAt(length - 1);
  return clean.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length).toWellFormed();
}

/** JSON text that jsonb accepts, whatever strings it contains. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify writes everything that jsonb refuses as an escape, so only texts with `\u` need a second pass.
  return json.includes('\\u')
    ? JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part))
    : json;
}

/** Whether the database refused a statement because of its values; a retry would then fail again. */
export function refusesData(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  // Data exceptions, constraint violations and program limits (row or value too large).
  return /^(21|22|23|54)[0-9A-Z]{3}$/.test(code);
}
