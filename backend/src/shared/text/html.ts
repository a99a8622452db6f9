/** Escapes text for HTML, including quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Escapes text that stands between tags, where quotes need no escaping. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
