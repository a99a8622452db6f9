/** Programs that look into mails, by their vendors' names; and what calls itself a program. */
const PROGRAM =
  /bot\b|crawl|spider|slurp|preview|scan|barracuda|mimecast|proofpoint|symantec|messagelabs|fireeye|trellix|trendmicro|sophos|ironport|talos|forcepoint|zscaler|fortinet|safelinks|headless|phantom|curl|wget|python|libwww|okhttp|go-http-client|java\/|apache-httpclient|axios|node-fetch|undici|powershell/i;
const BARE = /^mozilla\/5\.0\s*$/i;

/** Whether a download comes from a program and not from a person's browser, as far as the program says so. */
export const isMailProgram = (userAgent: string | null): boolean =>
  userAgent === null || userAgent.trim() === '' || BARE.test(userAgent) || PROGRAM.test(userAgent);
