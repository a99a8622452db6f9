/** User agents of mail scanners, by vendor, and of bots and HTTP clients that name themselves. */
const AUTOMATED_AGENT =
  /bot\b|crawl|spider|slurp|preview|scan|barracuda|mimecast|proofpoint|symantec|messagelabs|fireeye|trellix|trendmicro|sophos|ironport|talos|forcepoint|zscaler|fortinet|safelinks|headless|phantom|curl|wget|python|libwww|okhttp|go-http-client|java\/|apache-httpclient|axios|node-fetch|undici|powershell/i;
const BARE_MOZILLA = /^mozilla\/5\.0\s*$/i;

/**
 * Whether a download comes from a program, judged by the user agent. A download without a user agent counts as
 * automated.
 */
export const isAutomatedClient = (userAgent: string | null): boolean =>
  userAgent === null || userAgent.trim() === '' || BARE_MOZILLA.test(userAgent) || AUTOMATED_AGENT.test(userAgent);
