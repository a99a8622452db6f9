/** Text as PostgreSQL stores it, also inside jsonb: without NUL and lone surrogates, at most `length` UTF-16 units and not cut inside a character. */
export function storableText(text: string, length = Infinity): string {
  const clean = text.includes('\0') ? text.replaceAll('\0', '') : text;
  if (clean.length <= length) return clean.toWellFormed();
  const last = clean.charCodeAt(length - 1);
  return clean.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length).toWellFormed();
}

/** JSON that jsonb takes, whatever the texts in it are. */
export function storableJson(value: unknown): string {
  const json = JSON.stringify(value);
  // JSON.stringify escapes what jsonb refuses; a text that holds a backslash is only looked at twice.
  return json.includes('\\u') ? JSON.stringify(value, (_key, part: unknown) => (typeof part === 'string' ? storableText(part) : part)) : json;
}

/** Whether the database refused a statement for the values in it: written again, they are refused again. */
export function refusesData(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  // Data exceptions, violated constraints, a row or value over a limit.
  return /^(21|22|23|54)[0-9A-Z]{3}$/.test(code);
}
