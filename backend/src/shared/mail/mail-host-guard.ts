import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { isLocalName, isPublicAddress } from './public-address.js';
import { fault } from './smtp-session.js';

const PATIENCE_MS = 5_000;

/** A mail server's host that may not be connected to. Its text is for the log: people who choose hosts are told no detail. */
export const refusedHost = (host: string): Error => fault(`the host ${host} leads to an address that is not public, or to this product itself`, { code: 'EDNS', command: 'CONN' });

/**
 * Decides whether a host that an admin named may be connected to. Private, loopback and link-local addresses and those of the
 * product's own services are refused, however the host is spelled: what counts are the addresses that it resolves to.
 */
@Injectable()
export class MailHostGuard {
  /** Tests replace it. */
  resolve: (host: string) => Promise<string[]> = resolved;

  constructor(private readonly settings: Settings) {}

  /**
   * The address to connect to, resolved now: connecting to the name instead would ask the DNS again, which may then say something else.
   * @throws an error of the mail account (EDNS) where it is refused or cannot be resolved
   */
  addressOf = async (host: string): Promise<string> => {
    if (isLocalName(host)) throw refusedHost(host);
    const addresses = await this.resolve(host).catch(() => {
      throw fault(`the host ${host} cannot be resolved`, { code: 'EDNS', command: 'CONN' });
    });
    const own = await this.ownAddresses();
    if (addresses.length === 0 || !addresses.every((address) => isPublicAddress(address) && !own.has(address))) throw refusedHost(host);
    return addresses[0]!;
  };

  /** Whether a host is known to be refused; one that cannot be resolved now is judged when it is connected to. */
  async isRefused(host: string): Promise<boolean> {
    if (isLocalName(host)) return true;
    const addresses = await this.resolve(host).catch(() => []);
    const own = addresses.length > 0 ? await this.ownAddresses() : new Set();
    return !addresses.every((address) => isPublicAddress(address) && !own.has(address));
  }

  /** Addresses of this machine and of the product's database, queue and public page. */
  private async ownAddresses(): Promise<Set<string>> {
    const { databaseUrl, redisUrl, appUrl } = this.settings;
    const hosts = [databaseUrl, redisUrl, appUrl].flatMap((url) => (URL.canParse(url) ? [new URL(url).hostname.replace(/^\[|\]$/g, '')] : [])).filter(Boolean);
    const found = await Promise.all(hosts.map((host) => this.resolve(host).catch(() => [])));
    const interfaces = Object.values(networkInterfaces()).flatMap((entries) => (entries ?? []).map(({ address }) => address));
    return new Set([...found.flat(), ...interfaces]);
  }
}

/** By the system's resolver, which reads every spelling that a connection would take: 2130706433, 0x7f.1, /etc/hosts. */
async function resolved(host: string): Promise<string[]> {
  const late = new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error('the DNS does not answer')), PATIENCE_MS).unref());
  const answers = await Promise.race([lookup(host, { all: true }), late]);
  return answers.map(({ address }) => address);
}
