interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/** Enough for a burst in a few rounds, and a statement of some hundred milliseconds. */
const MOST_ITEMS = 500;

/**
 * Does in one go what several callers ask for at the same time: while one batch runs, the next gathers. A caller who comes alone does not
 * wait, and a thousand at once hold one database connection instead of all. A batch that fails for what one of its items says (a broken
 * constraint, a deadlock) is done again item by item, so that each caller gets an answer of its own.
 */
export class Batcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private isRunning = false;

  /** @param run does all items or none, and gives their results in the same order */
  constructor(private readonly run: (items: Item[]) => Promise<Result[]>) {}

  /** @throws what the batch threw, or what the item alone threw */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isRunning) void this.runAll();
    });
  }

  private async runAll(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) await this.runBatch(this.waiting.splice(0, MOST_ITEMS));
    this.isRunning = false;
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.run(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
    } catch (error) {
      if (batch.length > 1 && isOfOneItem(error)) for (const one of batch) await this.runBatch([one]);
      else for (const { reject } of batch) reject(error);
    }
  }
}

/** Classes of SQLSTATE: 22 a value, 23 a constraint, 40 a deadlock or a conflict. An unreachable database is nobody's own fault. */
function isOfOneItem(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && /^(22|23|40)...$/.test(code);
}
