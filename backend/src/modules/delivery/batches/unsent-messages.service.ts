import { Injectable, Logger } from '@nestjs/common';
import { OutboundCircuitBreaker } from '../outbound-circuit-breaker.js';
import { DeliveryBacklogs } from '../throttling/backlogs/delivery-backlogs.service.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { DeliveryClaims } from './delivery-claims.service.js';
import type { InFlightMessage } from './in-flight-message.js';

/** Puts back messages that were marked but not dispatched: into the queue, or into the backlog of their provider. */
@Injectable()
export class UnsentMessages {
  private readonly log = new Logger(UnsentMessages.name);

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly backlogs: DeliveryBacklogs,
    private readonly throttles: ProviderThrottles,
    private readonly breaker: OutboundCircuitBreaker,
  ) {}

  /**
   * Moves marked messages to the backlog of their provider.
   * @returns false if the database failed
   */
  async park(messages: InFlightMessage[]): Promise<boolean> {
    if (messages.length === 0) return true;
    for (const inFlight of messages) inFlight.isOver = true;
    const { sendId } = messages[0]!.sender;
    const claims = messages.map(({ claim }) =>
      Object.assign(claim, { provider: this.throttles.providerOf(claim.domain, sendId) }),
    );
    try {
      await this.backlogs.park(sendId, claims, 'marked', this.throttles.accountInUse);
      this.throttles.addBacklogged(claims.map(({ provider }) => provider));
      return true;
    } catch (error) {
      this.log.error({ err: error }, 'messages could not be moved to a backlog; they are free when their leases end');
      return false;
    }
  }

  /**
   * Releases marked messages, so that they can be claimed again.
   * @returns false if the database failed
   */
  async release(messages: InFlightMessage[], pauseSeconds = this.breaker.heldForMs() / 1000): Promise<boolean> {
    for (const inFlight of messages) inFlight.isOver = true;
    if (messages.length === 0) return true;
    try {
      await this.claims.release(
        messages.map(({ claim }) => claim),
        pauseSeconds,
      );
      return true;
    } catch (error) {
      this.log.error({ err: error }, 'claims could not be released; they are free when their leases end');
      return false;
    }
  }
}
