import { Injectable, Logger } from '@nestjs/common';
import { DeliveryTuning } from './delivery-tuning.js';

/**
 * Circuit breaker for the mail server. Opens for a while when the server itself fails, as opposed to a single
 * recipient.
 */
@Injectable()
export class OutboundCircuitBreaker {
  private readonly log = new Logger(OutboundCircuitBreaker.name);
  private until = 0;

  constructor(private readonly tuning: DeliveryTuning) {}

  hold(reason: string, response?: string): void {
    if (!this.heldForMs()) this.log.warn({ response }, `${reason}; sending pauses for ${this.tuning.holdSeconds} s`);
    this.until = performance.now() + this.tuning.holdSeconds * 1000;
  }

  /** @returns ms until mail may go out again; 0: the breaker is closed */
  heldForMs(): number {
    return Math.max(0, this.until - performance.now());
  }
}
