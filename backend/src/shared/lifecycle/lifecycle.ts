import { Global, Injectable, Module } from '@nestjs/common';

/** Whether this process is on its way out: from the signal on, before anything is taken down. */
@Injectable()
export class Lifecycle {
  private readonly controller = new AbortController();

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get stopping(): boolean {
    return this.signal.aborted;
  }

  stop(): void {
    this.controller.abort();
  }
}

@Global()
@Module({ providers: [Lifecycle], exports: [Lifecycle] })
export class LifecycleModule {}
