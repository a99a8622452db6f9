import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { isLocalName, isPublicAddress } from '../public-address.js';
import { fault } from './smtp-connection.js';
import { answerWithin } from '../../lifecycle/answer-within.js';

const DNS_TIMEOUT_MS = 5_000;

/** Error for a refused mail host. Its text is for the log only: the admin who entered the host must not see it. */
export const refusedHost = (host: string): Error =>
  fault(`the host ${host} leads to an address that is not public, or to this product itself`, {
    code: 'EDNS',
    command: 'CONN',
  });

/**
 * Decides whether the product may connect to a mail host that an admin entered. Refuses private, loopback and
 * link-local addresses and the product's own services. Checks the resolved addresses, so the spelling of the host does
 * not matter.
 */
@Injectable()
export class MailHostGuard {
  /** Tests replace this function. */
  resolve: (host: string) => Promise<string[]> = resolved;

  constructor(private readonly settings: Settings) {}

  /**
   * Resolves the host and returns the address to connect to. Callers must use this address, because a second DNS lookup
   * could give another answer (DNS rebinding).
   * @throws a mail account error (EDNS) if the host is refused or cannot be resolved
   */
  addressOf = async (host: string): Promise<string> => {
    if (isLocalName(host)) throw refusedHost(host);
    const addresses = await this.resolve(host).catch(() => {
      throw fault(`the host ${host} cannot be resolved`, { code: 'EDNS', command: 'CONN' });
    });
    const own = await this.ownAddresses();
    if (addresses.length === 0 || !addresses.every((address) => isPublicAddress(address) && !own.has(address)))
      throw refusedHost(host);
    return addresses[0]!;
  };

  /**
   * Whether a host is known to be refused. A host that cannot be resolved is not refused yet; it is checked before each
   * connection.
   */
  async isRefused(host: string): Promise<boolean> {
    if (isLocalName(host)) return true;
    const addresses = await this.resolve(host).catch(() => []);
    const own = addresses.length > 0 ? await this.ownAddresses() : new Set();
    return !addresses.every((address) => isPublicAddress(address) && !own.has(address));
  }

  /** Addresses of this machine, of the database, of Redis and of APP_URL's host. */
  private async ownAddresses(): Promise<Set<string>> {
    const { databaseUrl, redisUrl, appUrl } = this.settings;
    const hosts = [databaseUrl, redisUrl, appUrl]
      .flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, '')] : []))
      .filter(Boolean);
    const found = await Promise.all(hosts.map((host) => this.resolve(host).catch(() => [])));
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) =>
      (entries ?? []).map(({ address }) => address),
    );
    return new Set([...found.flat(), ...interfaces]);
  }
}

/**
 * Resolves a host with the system resolver, which accepts the same spellings as a connection does, such as 2130706433,
 * 0x7f.1 and names in /etc/hosts.
 */
async function resolved(host: string): Promise<string[]> {
  const answers = await answerWithin(lookup(host, { all: true }), DNS_TIMEOUT_MS, 'the DNS does not answer');
  return answers.map(({ address }) => address);
}
