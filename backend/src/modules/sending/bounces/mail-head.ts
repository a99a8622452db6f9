/** What is read of a message's head. */
export interface MailHead {
  /** Values of the fields that may name whom the message was addressed to. */
  recipients: string[];
}

const RECIPIENT_FIELDS = new Set(['to', 'delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'x-delivered-to']);
/** Fields that say how the body is to be read, and the id. */
const KEPT_FIELDS = new Set(['content-type', 'content-transfer-encoding', 'mime-version', 'message-id']);
const MAX_HEAD = 64 * 1024;
const MAX_FIELD = 4 * 1024;
const MAX_RECIPIENT_FIELDS = 50;

/**
 * Takes a message's head apart, in time linear in its length.
 * @returns the recipients, and the message with the kept fields only, each once, for a parser that need not see the others
 */
export function splitHead(raw: Buffer): { head: MailHead; parsable: Buffer } {
  const end = endOfHead(raw);
  const recipients: string[] = [];
  const kept = new Map<string, string>();
  for (const field of fieldsOf(raw.toString('latin1', 0, Math.min(end, MAX_HEAD)))) {
    const colon = field.indexOf(':');
    const name = field.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (RECIPIENT_FIELDS.has(name) && recipients.length < MAX_RECIPIENT_FIELDS) recipients.push(field.slice(colon + 1));
    if (KEPT_FIELDS.has(name) && field.length <= MAX_FIELD && !kept.has(name)) kept.set(name, field);
  }
  const head = [...kept.values(), '', ''].join('\r\n');
  return { head: { recipients }, parsable: Buffer.concat([Buffer.from(head, 'latin1'), raw.subarray(end)]) };
}

/** Where the body begins: after the first empty line; at the end where there is none. */
function endOfHead(raw: Buffer): number {
  for (let at = 0; at < raw.length;) {
    const newline = raw.indexOf(0x0a, at);
    if (newline < 0) return raw.length;
    if (newline === at || (newline === at + 1 && raw[at] === 0x0d)) return newline + 1;
    at = newline + 1;
  }
  return raw.length;
}

/** Header fields, folded lines joined. */
function fieldsOf(head: string): string[] {
  const fields: string[][] = [];
  for (const line of head.split('\n')) {
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (/^[ \t]/.test(text)) fields.at(-1)?.push(` ${text.trimStart()}`);
    else fields.push([text]);
  }
  return fields.map((lines) => lines.join(''));
}
