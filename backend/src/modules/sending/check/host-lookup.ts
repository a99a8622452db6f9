import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { Settings } from '../../../shared/config/settings.js';
import type { HostState } from './link-checks.service.js';

const LOOKUP_TIMEOUT_MS = 3_000;
/** DNS errors that mean that the name does not exist or has no address. */
const NO_NAME = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Finds out whether a host exists. Looks up its name; with `LINK_CHECK=http` also sends a HEAD request for `/`. Never
 * requests the URL that a user typed, because a GET may unsubscribe somebody or confirm something.
 */
@Injectable()
export class HostLookup {
  private readonly resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
  /** Ports of the HEAD requests. Tests change them. */
  readonly ports = { https: 443, http: 80 };

  constructor(private readonly settings: Settings) {}

  async of(host: string): Promise<HostState> {
    const named = await this.byName(host);
    if (named !== 'found' || this.settings.linkCheck !== 'http') return named;
    return (await this.answers(host)) ? 'found' : 'unknown';
  }

  private async byName(host: string): Promise<HostState> {
    const answers = await Promise.allSettled([this.resolver.resolve4(host), this.resolver.resolve6(host)]);
    if (answers.some(({ status }) => status === 'fulfilled')) return 'found';
    const faults = answers.map((answer) =>
      answer.status === 'rejected' ? (answer.reason as { code?: string }).code : '',
    );
    return faults.every((code) => NO_NAME.has(code ?? '')) ? 'no_name' : 'unknown';
  }

  /**
   * Whether the host answers at all. A redirect counts as an answer and is not followed. The agents refuse to connect
   * to addresses that are not public.
   */
  private async answers(host: string): Promise<boolean> {
    return (await head(true, host, this.ports.https)) || head(false, host, this.ports.http);
  }
}

function head(isSecure: boolean, host: string, port: number): Promise<boolean> {
  const agent = isSecure ? new RequestFilteringHttpsAgent() : new RequestFilteringHttpAgent();
  return new Promise<boolean>((resolve) => {
    const request = (isSecure ? httpsRequest : httpRequest)(
      { host, port, path: '/', method: 'HEAD', agent, signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS) },
      (response) => {
        response.destroy();
        resolve(true);
      },
    );
    request.on('error', () => resolve(false));
    request.end();
  }).finally(() => agent.destroy());
}
