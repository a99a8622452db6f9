import type { EntityManager } from '@mikro-orm/postgresql';
import { changed } from './rows.js';

/**
 * Renews the leases of the rows that a worker is sending. Leases are short, so that another worker takes over soon
 * after a crash; the answer of a mail server may take longer than a lease.
 */
export class RowLeases {
  private readonly open = new Set<string>();
  private renewal?: NodeJS.Timeout;

  /** @param lease duration of a lease; tests shorten it */
  constructor(
    private readonly em: EntityManager,
    private readonly table: 'system_mails' | 'test_mails',
    private readonly lease: { readonly seconds: number },
  ) {}

  /** Keeps the lease of a claimed row renewed until `release`. */
  hold(id: string): void {
    this.open.add(id);
    this.renewal ??= setInterval(
      () => {
        if (this.open.size > 0) void this.renew().catch(() => undefined);
      },
      (this.lease.seconds * 1000) / 3,
    ).unref();
  }

  release(id: string): void {
    this.open.delete(id);
  }

  private renew(): Promise<number> {
    return changed(
      this.em.fork(),
      `update ${this.table} set lease_until = now() + make_interval(secs => ?::int)
       where id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and status = 'sending'`,
      [this.lease.seconds, JSON.stringify([...this.open])],
    );
  }
}
