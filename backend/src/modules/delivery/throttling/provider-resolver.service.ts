import { Injectable } from '@nestjs/common';
import { MxLookup } from './mx-lookup.service.js';
import { providerByName } from './recipient-provider.js';

/**
 * Maps a recipient domain to its mailbox provider. Answers synchronously. If the domain has to be looked up first,
 * later calls know the provider.
 */
@Injectable()
export class ProviderResolver {
  constructor(private readonly mx: MxLookup) {}

  /** @returns a large provider's name, else the domain itself */
  providerOf(domain: string): string {
    return providerByName(domain) ?? this.mx.known(domain) ?? domain;
  }
}
