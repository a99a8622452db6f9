const SCHEMES = new Set(['https:', 'http:', 'mailto:', 'tel:']);
const EMAIL = /^[^\s@/:]+@(?:[^\s@/:.]+\.)+[^\s@/:.]+$/;
const HAS_SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const HOST_AND_PORT = /^[\w-]+(?:\.[\w-]+)+:\d+(?:[/?#]|$)/;

/**
 * The URL of a link, as typed or pasted: 'acme.com/jobs' gets https, a mail address gets mailto.
 * @returns null for a URL that a mail must not contain
 */
export function normalizeHref(typed: string): string | null {
  const text = typed.trim();
  if (!text || text.length > 2048 || /[\u0000-\u0020\u007f]/.test(text)) return null;
  if (EMAIL.test(text)) return `mailto:${text}`;
  const address = HAS_SCHEME.test(text) && !HOST_AND_PORT.test(text) ? text : `https://${text.replace(/^\/\//, '')}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  if (!SCHEMES.has(url.protocol) || url.username || url.password) return null;
  const isWeb = url.protocol.startsWith('http');
  if (isWeb && !url.hostname.includes('.') && url.hostname !== 'localhost') return null;
  if (!isWeb && url.pathname === '') return null;
  return address;
}
