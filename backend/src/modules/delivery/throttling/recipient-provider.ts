/** Mailbox providers that are recognised by name. Each of them limits a sender over all the domains that it hosts. */
const BY_DOMAIN = {
  google: /^g(oogle)?mail\.com$/,
  microsoft: /^(outlook|hotmail|live|msn)\.[a-z.]+$/,
  yahoo: /^((yahoo|ymail|rocketmail|aol)\.[a-z.]+)$/,
  apple: /^(icloud|me|mac)\.com$/,
};

const BY_MX = {
  google: /(^|\.)(google|googlemail)\.com$/,
  microsoft: /(^|\.)(protection\.outlook\.[a-z]+|mx\.microsoft|hotmail\.com)$/,
  yahoo: /(^|\.)yahoodns\.net$/,
  apple: /(^|\.)icloud\.com$/,
};

export type RecipientProvider = keyof typeof BY_DOMAIN;

const match = (patterns: Record<string, RegExp>, name: string) =>
  Object.entries(patterns).find(([, pattern]) => pattern.test(name))?.[0] as RecipientProvider | undefined;

const KEPT_NAMES = 20_000;
const names = new Map<string, RecipientProvider | null>();

/** The large provider that owns a domain, by the domain's name. */
export function providerByName(domain: string): RecipientProvider | undefined {
  const known = names.get(domain);
  if (known !== undefined) return known ?? undefined;
  const found = match(BY_DOMAIN, domain);
  if (names.size >= KEPT_NAMES) names.clear();
  names.set(domain, found ?? null);
  return found;
}

/**
 * The large provider that hosts a domain.
 * @param exchanges the domain's mail servers, the preferred one first
 */
export function providerByMx(exchanges: readonly string[]): RecipientProvider | undefined {
  const [first] = exchanges;
  return first === undefined ? undefined : match(BY_MX, first.toLowerCase().replace(/\.$/, ''));
}

/** Label for metrics. All other providers share one label, so that labels stay few. Dashboards know Google as gmail. */
export const providerLabel = (provider: string): string =>
  provider === 'google' ? 'gmail' : provider in BY_DOMAIN ? provider : 'other';
