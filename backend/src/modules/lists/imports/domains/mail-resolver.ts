import { promises as dns } from 'node:dns';

const LOOKUP_TIMEOUT_MS = 3_000;
const NO_SUCH_DOMAIN = 'ENOTFOUND';
const NO_RECORDS = 'ENODATA';

/** Asks DNS whether domains take mail; replaced in tests. */
export abstract class MailResolver {
  /** Whether a domain takes mail. @returns undefined if DNS did not answer */
  abstract takesMail(domain: string): Promise<boolean | undefined>;
}

/**
 * Asks DNS. A domain takes no mail if it does not exist, declares so with a null MX (RFC 7505), or has neither MX nor
 * address records.
 */
export class DnsMailResolver extends MailResolver {
  private readonly resolver = new dns.Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });

  async takesMail(domain: string): Promise<boolean | undefined> {
    try {
      const records = await this.resolver.resolveMx(domain);
      return records.some(({ exchange }) => exchange !== '' && exchange !== '.');
    } catch (error) {
      const code = codeOf(error);
      if (code === NO_SUCH_DOMAIN) return false;
      return code === NO_RECORDS ? this.hasAddress(domain) : undefined;
    }
  }

  private async hasAddress(domain: string): Promise<boolean | undefined> {
    const answers = await Promise.all(
      [this.resolver.resolve4(domain), this.resolver.resolve6(domain)].map((asked) =>
        asked.then(
          (found) => found.length > 0,
          (error: unknown) => ([NO_SUCH_DOMAIN, NO_RECORDS].includes(codeOf(error)) ? false : undefined),
        ),
      ),
    );
    return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
  }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code);
