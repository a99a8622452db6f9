import type { MailTransport, SendReceipt } from './bulk-transport.js';
import type { MailAccount, MailAccounts } from './mail-accounts.js';

type Message = Parameters<MailTransport['send']>[0];

interface AccountPool {
  version: string;
  transport: MailTransport;
  inFlight: number;
  retired: boolean;
}

/**
 * Sends each message through the first mail account that accepts it. Tries another account only if the account caused
 * the failure and not the message; the message was then not transmitted completely, so it cannot arrive twice.
 */
export class FailoverTransport implements MailTransport {
  private readonly pools = new Map<string, AccountPool>();
  private present?: readonly MailAccount[];
  private known?: MailAccounts;

  constructor(
    private readonly accounts: () => MailAccounts,
    private readonly connect: (account: MailAccount) => MailTransport,
    private readonly kind: 'bulk' | 'system' = 'bulk',
  ) {}

  get width(): number {
    let width = 0;
    for (const { transport } of this.pools.values()) width = Math.max(width, transport.width ?? 0);
    return width;
  }

  send(message: Message): Promise<SendReceipt> {
    const accounts = (this.known ??= this.accounts());
    const inOrder = accounts.inOrderNow(message.reservedAccount);
    if (!inOrder) return this.sendInOrder(accounts, message);
    this.closeDisabled(inOrder);
    const account = inOrder[0]!;
    // Avoids async functions here, because this runs for every message.
    return this.sendBy(account, message).catch((error: Error) => {
      if (!accounts.failed(account, error)) throw Object.assign(error, { account: account.id });
      return this.sendInOrder(accounts, message, { tried: account, error });
    });
  }

  private async sendInOrder(
    accounts: MailAccounts,
    message: Message,
    before?: { tried: MailAccount; error: Error },
  ): Promise<SendReceipt> {
    let last: unknown = before?.error;
    const inOrder = await accounts.inOrder();
    this.closeDisabled(inOrder);
    for (const account of inOrder) {
      if (account.id === before?.tried.id) continue;
      if (this.kind === 'bulk' && message.reservedAccount !== account.id && !(await accounts.canTakeOver(account)))
        continue;
      // A message that was admitted by this account's rate limit must not wait for it again.
      if (message.reservedAccount !== account.id) await accounts.awaitRate(account);
      try {
        return await this.sendBy(account, message);
      } catch (error) {
        if (!accounts.failed(account, error as Error)) throw Object.assign(error as Error, { account: account.id });
        last = error;
      }
    }
    throw (
      last ??
      Object.assign(new Error('no mail account may take a message now'), { code: 'ECONNECTION', command: 'CONN' })
    );
  }

  async verify(): Promise<void> {
    const [first] = await this.accounts().inOrder();
    await this.poolOf(first!).transport.verify();
  }

  close(): void {
    for (const pool of this.pools.values()) pool.transport.close();
    this.pools.clear();
  }

  private sendBy(account: MailAccount, message: Message): Promise<SendReceipt> {
    const pool = this.poolOf(account);
    pool.inFlight += 1;
    return pool.transport.send(message).then(
      ({ response }) => {
        pool.inFlight -= 1;
        closeIfDone(pool);
        this.known!.worked(account);
        return { response, account: account.id };
      },
      (error: unknown) => {
        pool.inFlight -= 1;
        closeIfDone(pool);
        throw error;
      },
    );
  }

  private poolOf(account: MailAccount): AccountPool {
    const pool = this.pools.get(account.id);
    if (pool?.version === account.version) return pool;
    if (pool) retire(pool);
    const fresh: AccountPool = {
      version: account.version,
      transport: this.connect(account),
      inFlight: 0,
      retired: false,
    };
    this.pools.set(account.id, fresh);
    return fresh;
  }

  /** Closes the connection pools of accounts that were disabled, each after its last message. */
  private closeDisabled(present: readonly MailAccount[]): void {
    if (present === this.present) return;
    this.present = present;
    for (const [id, pool] of this.pools) {
      if (present.some((account) => account.id === id)) continue;
      this.pools.delete(id);
      retire(pool);
    }
  }
}

function retire(pool: AccountPool): void {
  pool.retired = true;
  closeIfDone(pool);
}

function closeIfDone(pool: AccountPool): void {
  if (pool.retired && pool.inFlight === 0) pool.transport.close();
}
