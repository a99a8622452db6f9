import type { Claim } from '../../../src/modules/delivery/batches/delivery-claims.service.js';
import { DeliveryClaims } from '../../../src/modules/delivery/batches/delivery-claims.service.js';
import type { Delivered } from '../../../src/modules/delivery/batches/batch-delivery.service.js';
import type { DeliveryResult } from '../../../src/modules/delivery/batches/delivery-result.js';
import type { PendingCounter } from '../../../src/modules/delivery/batches/in-flight-message.js';
import type { DeliveryBacklogs } from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import type { Pacer } from '../../../src/modules/delivery/throttling/pacer.js';
import type { Actor } from './gated-database.js';
import type { World } from './model-world.js';

/** Seconds after which a refused message is retried. */
const RETRY_SECONDS = 3;

/** Replaces ProviderThrottles. The simulated providers say how much they accept. */
export class ModelThrottles {
  readonly accountInUse = 'smtp';
  private backlogged: ReadonlySet<string> = new Set();

  constructor(private readonly world: World) {}

  providerOf(domain: string): string {
    return domain;
  }

  setBacklogged(providers: ReadonlySet<string>): void {
    this.backlogged = providers;
  }

  addBacklogged(providers: Iterable<string>): void {
    this.backlogged = new Set([...this.backlogged, ...providers]);
  }

  onRoom(): void {
    // Never needed, because a simulated provider always has room.
  }

  isCutSince({ provider }: { provider: string }, since: number): boolean {
    return this.world.provider(provider).cutAt >= since;
  }

  admit(claims: readonly Claim[]): { now: Claim[]; later: Claim[] } {
    const now: Claim[] = [];
    const later: Claim[] = [];
    for (const claim of claims) {
      claim.provider = claim.domain;
      const mayGo = !this.backlogged.has(claim.domain) && this.world.take(claim.domain, 1) > 0;
      (mayGo ? now : later).push(claim);
    }
    return { now, later };
  }

  reserveFor(provider: string, wanted: number) {
    const granted = this.world.take(provider, wanted);
    return Promise.resolve({ granted, startsInMs: 0, intervalMs: 0, retryInMs: 1_000 });
  }
}

/**
 * Replaces BatchDelivery. Marks and settles rows in the same way, and gives the messages to the simulated providers.
 */
export class ModelDelivery {
  readonly isInTrouble = false;
  private readonly inFlight = new Set<Claim>();

  constructor(
    private readonly world: World,
    private readonly actor: Actor,
    private readonly throttles: ModelThrottles,
    private readonly claims: DeliveryClaims,
    private readonly backlogs: DeliveryBacklogs,
  ) {}

  async deliver(
    send: { id: string },
    claims: Claim[],
    _stopping: () => boolean,
    underWay: PendingCounter,
    pacer?: Pacer,
  ): Promise<Delivered> {
    const { now, later } = pacer ? { now: claims, later: [] } : this.throttles.admit(claims);
    const preparedAt = performance.now();
    const marked = now.length > 0 ? await this.claims.claim(send.id, now) : new Map<string, object>();
    const mine = now.filter(({ id }) => marked.has(id));
    const results: DeliveryResult[] = [];
    const held: Claim[] = [];
    for (const claim of mine) {
      this.inFlight.add(claim);
      if (this.throttles.isCutSince(claim, preparedAt)) held.push(claim);
      else results.push(this.handOver(claim));
    }
    for (const _ of results) underWay.begin();
    void this.write(results).then(() => {
      for (const _ of results) underWay.end();
    });
    if (held.length > 0) await this.park(send.id, held);
    for (const claim of mine) this.inFlight.delete(claim);
    const undecided = now.filter(({ id }) => !marked.has(id)).map(({ position }) => position);
    return { parked: later, undecidedFrom: Math.min(Infinity, ...undecided) };
  }

  renew(): Promise<void> {
    return this.claims.renew([...this.inFlight]);
  }

  private handOver({ id, attempt, domain }: Claim): DeliveryResult {
    if (this.world.arrives(domain, id)) return { id, attempt, status: 'sent' };
    return { id, attempt, status: 'deferred', deferral: true, pauseSeconds: RETRY_SECONDS };
  }

  /** Repeats writing results until the database accepts them, like the result log. */
  private async write(results: readonly DeliveryResult[]): Promise<void> {
    for (let isWritten = results.length === 0; !isWritten;)
      isWritten = await this.claims.settle(results).then(
        () => true,
        () => this.world.sleep(this.actor, 1_000).then(() => false),
      );
  }

  private async park(sendId: string, claims: readonly Claim[]): Promise<void> {
    try {
      await this.backlogs.park(sendId, claims, 'marked', this.throttles.accountInUse);
      this.throttles.addBacklogged(claims.map(({ provider }) => provider));
    } catch {
      // The claims expire with their leases.
    }
  }
}
