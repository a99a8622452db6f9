import { Injectable, Logger } from '@nestjs/common';
import { SendingTuning } from './sending-tuning.js';

/** The way to the mail server: held for a while when the server itself, not a recipient, is in trouble. */
@Injectable()
export class SendLane {
  private readonly log = new Logger(SendLane.name);
  private until = 0;

  constructor(private readonly tuning: SendingTuning) {}

  hold(reason: string, response?: string): void {
    if (!this.heldForMs()) this.log.warn({ response }, `${reason}; sending pauses for ${this.tuning.holdSeconds} s`);
    this.until = Date.now() + this.tuning.holdSeconds * 1000;
  }

  /** @returns 0 where it is open */
  heldForMs(): number {
    return Math.max(0, this.until - Date.now());
  }
}
