import { Injectable } from '@nestjs/common';
import { BACKLOG_LEASE_SECONDS, DeliveryBacklogs } from './delivery-backlogs.service.js';

interface Held {
  provider: string;
  sendId: string;
}

/**
 * Renews the leases of the backlogs that this worker serves, so that leases can be short. If renewing fails, the leases
 * end and another worker may serve the same messages; each message is still claimed by only one worker.
 */
@Injectable()
export class BacklogLeases {
  private readonly held = new Set<Held>();
  private renewal?: NodeJS.Timeout;
  private isRenewing = false;

  constructor(private readonly backlogs: DeliveryBacklogs) {}

  /**
   * Keeps renewing the leases of these backlogs of a provider.
   * @returns function that lets go of the lease of one send
   */
  hold(provider: string, sendIds: readonly string[]): (sendId: string) => void {
    const held = new Map(sendIds.map((sendId) => [sendId, { provider, sendId }]));
    for (const one of held.values()) this.held.add(one);
    if (this.held.size > 0)
      this.renewal ??= setInterval(
        () => void this.renew().catch(() => undefined),
        (BACKLOG_LEASE_SECONDS * 1000) / 3,
      ).unref();
    return (sendId) => this.letGo(held.get(sendId));
  }

  /**
   * Called by the timer. Does nothing while the previous renewal is running, so that renewals do not pile up on a slow
   * database.
   */
  async renew(): Promise<void> {
    if (this.isRenewing) return;
    this.isRenewing = true;
    try {
      await this.backlogs.renew([...this.held]);
    } finally {
      this.isRenewing = false;
    }
  }

  private letGo(held: Held | undefined): void {
    if (held) this.held.delete(held);
    if (this.held.size > 0) return;
    clearInterval(this.renewal);
    this.renewal = undefined;
  }
}
