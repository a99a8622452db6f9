/** Most sends that are remembered. The one tried longest ago is forgotten, and then only tried sooner than needed. */
const MAX_SENDS = 10_000;

/** Which sends of this process have just found that their files are still being checked. */
export class FileWaits {
  /** Ms of `performance.now` of the last try, by id, the earliest first. */
  private readonly triedAt = new Map<string, number>();

  noteTry(id: string): void {
    this.triedAt.delete(id);
    this.triedAt.set(id, performance.now());
    if (this.triedAt.size > MAX_SENDS) this.triedAt.delete(this.triedAt.keys().next().value!);
  }

  /** Ids of the sends that were tried within the last `ms`. */
  within(ms: number): string[] {
    const since = performance.now() - ms;
    for (const [id, at] of this.triedAt) {
      if (at > since) break;
      this.triedAt.delete(id);
    }
    return [...this.triedAt.keys()];
  }
}
