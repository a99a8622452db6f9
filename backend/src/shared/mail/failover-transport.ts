import type { MailTransport, SendReceipt } from './bulk-transport.js';
import type { MailAccount, MailAccounts } from './mail-accounts.js';

type Message = Parameters<MailTransport['send']>[0];

interface Line {
  version: string;
  transport: MailTransport;
  underWay: number;
  retired: boolean;
}

/** Hands each message to the first account that takes it. A message changes accounts only while no recipient was asked for. */
export class FailoverTransport implements MailTransport {
  private readonly lines = new Map<string, Line>();
  private present?: readonly MailAccount[];
  private known?: MailAccounts;

  constructor(
    private readonly accounts: () => MailAccounts,
    private readonly connect: (account: MailAccount) => MailTransport,
    private readonly kind: 'bulk' | 'system' = 'bulk',
  ) {}

  get width(): number {
    let width = 0;
    for (const { transport } of this.lines.values()) width = Math.max(width, transport.width ?? 0);
    return width;
  }

  send(message: Message): Promise<SendReceipt> {
    const accounts = (this.known ??= this.accounts());
    const inOrder = accounts.atOnce(message.placeWith);
    if (!inOrder) return this.sendInOrder(accounts, message);
    this.look(inOrder);
    const account = inOrder[0]!;
    // No more than what a promise needs: it is done for every message.
    return this.sendBy(account, message).catch((error: Error) => {
      if (!accounts.failed(account, error)) throw Object.assign(error, { account: account.id });
      return this.sendInOrder(accounts, message, { tried: account, error });
    });
  }

  private async sendInOrder(accounts: MailAccounts, message: Message, before?: { tried: MailAccount; error: Error }): Promise<SendReceipt> {
    let last: unknown = before?.error;
    const inOrder = await accounts.inOrder();
    this.look(inOrder);
    for (const account of inOrder) {
      if (account.id === before?.tried.id) continue;
      if (this.kind === 'bulk' && message.placeWith !== account.id && !(await accounts.mayTakeOver(account))) continue;
      // A bulk message with a place has its turn already.
      if (message.placeWith !== account.id) await accounts.takeTurn(account);
      try {
        return await this.sendBy(account, message);
      } catch (error) {
        if (!accounts.failed(account, error as Error)) throw Object.assign(error as Error, { account: account.id });
        last = error;
      }
    }
    throw last ?? Object.assign(new Error('no mail account may take a message now'), { code: 'ECONNECTION', command: 'CONN' });
  }

  async verify(): Promise<void> {
    const [first] = await this.accounts().inOrder();
    await this.lineOf(first!).transport.verify();
  }

  close(): void {
    for (const line of this.lines.values()) line.transport.close();
    this.lines.clear();
  }

  private sendBy(account: MailAccount, message: Message): Promise<SendReceipt> {
    const line = this.lineOf(account);
    line.underWay += 1;
    return line.transport.send(message).then(
      ({ response }) => {
        line.underWay -= 1;
        closeIfDone(line);
        this.known!.worked(account);
        return { response, account: account.id };
      },
      (error: unknown) => {
        line.underWay -= 1;
        closeIfDone(line);
        throw error;
      },
    );
  }

  private lineOf(account: MailAccount): Line {
    const line = this.lines.get(account.id);
    if (line?.version === account.version) return line;
    if (line) retire(line);
    const fresh: Line = { version: account.version, transport: this.connect(account), underWay: 0, retired: false };
    this.lines.set(account.id, fresh);
    return fresh;
  }

  /** Connections of an account that was switched off end with their last message. */
  private look(present: readonly MailAccount[]): void {
    if (present === this.present) return;
    this.present = present;
    for (const [id, line] of this.lines) {
      if (present.some((account) => account.id === id)) continue;
      this.lines.delete(id);
      retire(line);
    }
  }
}

function retire(line: Line): void {
  line.retired = true;
  closeIfDone(line);
}

function closeIfDone(line: Line): void {
  if (line.retired && line.underWay === 0) line.transport.close();
}
