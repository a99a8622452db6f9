import { setTimeout as pause } from 'node:timers/promises';

export interface Call {
  method: string;
  path: string;
  body?: object;
}

/** Sends requests at a constant rate, without waiting for the answers. */
export class Traffic {
  readonly failures: string[] = [];
  answered = 0;
  private running = true;
  private readonly open = new Set<Promise<void>>();
  private readonly loop: Promise<void>;

  constructor(
    private readonly url: string,
    private readonly headers: Record<string, string>,
    perSecond: number,
    next: (n: number) => Call,
  ) {
    this.loop = this.run(1000 / perSecond, next);
  }

  /** Stops sending and waits for the outstanding answers. */
  async stop(): Promise<void> {
    this.running = false;
    await this.loop;
    await Promise.all(this.open);
  }

  private async run(gapMs: number, next: (n: number) => Call): Promise<void> {
    for (let n = 0; this.running; n += 1) {
      const call = this.send(next(n)).finally(() => this.open.delete(call));
      this.open.add(call);
      await pause(gapMs);
    }
  }

  private async send({ method, path, body }: Call): Promise<void> {
    try {
      const answer = await fetch(this.url + path, {
        method,
        headers: { ...this.headers, ...(body && { 'Content-Type': 'application/json' }) },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(20_000),
      });
      await answer.arrayBuffer();
      this.answered += 1;
      if (answer.status >= 400) this.failures.push(`${method} ${path}: ${answer.status}`);
    } catch (error) {
      this.failures.push(`${method} ${path}: ${(error as Error).message} ${String((error as Error).cause)}`);
    }
  }
}
