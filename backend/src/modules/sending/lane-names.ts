const LARGE = {
  gmail: /^g(oogle)?mail\.com$/,
  microsoft: /^(outlook|hotmail|live|msn)\.[a-z.]+$/,
  yahoo: /^((yahoo|ymail|rocketmail|aol)\.[a-z.]+)$/,
  apple: /^(icloud|me|mac)\.com$/,
};

/** A recipient domain as a label of the metrics: the large mailbox providers by name, all else as one, so that the labels stay few. */
export function laneName(domain: string): string {
  return Object.entries(LARGE).find(([, pattern]) => pattern.test(domain))?.[0] ?? 'other';
}
