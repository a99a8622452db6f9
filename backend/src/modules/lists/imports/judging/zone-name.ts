/** Names of time zones in exports from the USA. Names of standard and of daylight saving time mean the same zone. */
const SPOKEN = new Map(
  Object.entries({
    est: 'America/New_York',
    edt: 'America/New_York',
    et: 'America/New_York',
    eastern: 'America/New_York',
    cst: 'America/Chicago',
    cdt: 'America/Chicago',
    ct: 'America/Chicago',
    central: 'America/Chicago',
    mst: 'America/Denver',
    mdt: 'America/Denver',
    mt: 'America/Denver',
    mountain: 'America/Denver',
    pst: 'America/Los_Angeles',
    pdt: 'America/Los_Angeles',
    pt: 'America/Los_Angeles',
    pacific: 'America/Los_Angeles',
    akst: 'America/Anchorage',
    alaska: 'America/Anchorage',
    hst: 'Pacific/Honolulu',
    hawaii: 'Pacific/Honolulu',
    ist: 'Asia/Kolkata',
    // GMT is the zone without summer time; exports that mean London say London or BST.
    gmt: 'UTC',
    bst: 'Europe/London',
    cet: 'Europe/Berlin',
    utc: 'UTC',
  }),
);
const NO_NAME: ReadonlySet<string> = new Set(['standard', 'daylight', 'time']);
const MAX_ZONE_LENGTH = 60;
const known = new Map<string, string | null>();

/** IANA name of a time zone. @returns null for any other text */
export function zoneName(text: string): string | null {
  if (text.length > MAX_ZONE_LENGTH) return null;
  const found = known.get(text);
  if (found !== undefined) return found;
  const spoken = text.toLowerCase().split(/\s+/);
  const zone = SPOKEN.get(spoken.filter((word) => !NO_NAME.has(word)).join(' ')) ?? iana(text);
  if (known.size < 1_000) known.set(text, zone);
  return zone;
}

function iana(text: string): string | null {
  if (!/^[A-Za-z_]+\/[A-Za-z0-9_+/-]+$/.test(text)) return null;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
