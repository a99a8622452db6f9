import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { isLocalName, isPublicAddress } from '../public-address.js';
import { fault } from './smtp-connection.js';

const DNS_TIMEOUT_MS = 5_000;

/** Error for a refused mail host. The detail is for the log only, not for the admin who chose the host. */
export const refusedHost = (host: string): Error =>
  fault(`the host ${host} leads to an address that is not public, or to this product itself`, {
    code: 'EDNS',
    command: 'CONN',
  });

/**
 * Decides whether a mail host named by an admin may be connected to. Refuses private, loopback and link-local addresses
 * and the product's own services, judged by the resolved addresses, whatever the spelling of the host.
 */
@Injectable()
export class MailHostGuard {
  /** Replaced in tests. */
  resolve: (host: string) => Promise<string[]> = resolved;

  constructor(private readonly settings: Settings) {}

  /**
   * Resolves the host once and returns the address to connect to: a second DNS lookup could give another answer (DNS
   * rebinding).
   * @throws a mail account error (EDNS) where the host is refused or unresolvable
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

  /** Whether a host is known to be refused; an unresolvable one is checked when it is connected to. */
  async isRefused(host: string): Promise<boolean> {
    if (isLocalName(host)) return true;
    const addresses = await this.resolve(host).catch(() => []);
    const own = addresses.length > 0 ? await this.ownAddresses() : new Set();
    return !addresses.every((address) => isPublicAddress(address) && !own.has(address));
  }

  /** Addresses of this machine, the database, Redis and the public page. */
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
 * Uses the system resolver, which understands every spelling that a connection would accept: 2130706433, 0x7f.1,
 * /etc/hosts.
 */
async function resolved(host: string): Promise<string[]> {
  const late = new Promise<never>((_resolve, reject) =>
    setTimeout(() => reject(new Error('the DNS does not answer')), DNS_TIMEOUT_MS).unref(),
  );
  const answers = await Promise.race([lookup(host, { all: true }), late]);
  return answers.map(({ address }) => address);
}
