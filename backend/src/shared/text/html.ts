/** Escapes text for HTML, also inside quoted attributes. */
export function escapeHtml(text: string): string {
  return escapeText(text).replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}

/** Escapes text between tags, where quotes have no meaning. */
export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
