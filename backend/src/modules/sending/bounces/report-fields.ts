/** Fields of one group of a report, by lower-case name; of a repeated field the first. */
export type ReportFields = ReadonlyMap<string, string>;

const MAX_GROUPS = 200;

/**
 * Groups of `Name: value` lines parted by blank lines, folded lines joined: the body of message/delivery-status (RFC 3464)
 * and of message/feedback-report (RFC 5965). Lines that are none are passed over; it never throws.
 */
export function readFieldGroups(body: string): ReportFields[] {
  const groups: ReportFields[] = [];
  for (const block of body.split(/\r?\n[ \t]*\r?\n/).slice(0, MAX_GROUPS)) {
    const fields = new Map<string, string>();
    for (const line of unfold(block).split(/\r?\n/)) {
      const [, name, value] = /^([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)$/.exec(line) ?? [];
      const key = name?.toLowerCase();
      if (key && !fields.has(key)) fields.set(key, value!.trim());
    }
    if (fields.size > 0) groups.push(fields);
  }
  return groups;
}

/** Header fields of a message that is quoted in a report, up to its blank line. */
export const readHeaderFields = (message: string): ReportFields => readFieldGroups(message.replace(/^[\r\n]+/, ''))[0] ?? new Map<string, string>();

const unfold = (text: string): string => text.replace(/\r?\n[ \t]+/g, ' ');

/** The address of `rfc822; a@b`, `utf-8; a@b`, `<a@b>` or a bare one, in lower case; empty where there is none. */
export function addressOf(value = ''): string {
  const bare = value.replace(/^[a-z0-9-]+[ \t]*;/i, '').trim().replace(/^<|>$/g, '');
  return bare.replace(/\+([0-9A-F]{2})/g, (all, hex: string) => (hex === '2B' || hex === '3D' ? String.fromCharCode(Number.parseInt(hex, 16)) : all)).toLowerCase();
}
