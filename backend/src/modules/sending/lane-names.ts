const LARGE = {
  gmail: /^g(oogle)?mail\.com$/,
  microsoft: /^(outlook|hotmail|live|msn)\.[a-z.]+$/,
  yahoo: /^((yahoo|ymail|rocketmail|aol)\.[a-z.]+)$/,
  apple: /^(icloud|me|mac)\.com$/,
};

const KEPT_NAMES = 10_000;
const names = new Map<string, string>();

/** A recipient domain as a label of the metrics: the large mailbox providers by name, all else as one, so that the labels stay few. */
export function laneName(domain: string): string {
  const known = names.get(domain);
  if (known) return known;
  const name = Object.entries(LARGE).find(([, pattern]) => pattern.test(domain))?.[0] ?? 'other';
  if (names.size < KEPT_NAMES) names.set(domain, name);
  return name;
}
