import type { Argon2Parameters } from 'node:crypto';
import { Worker } from 'node:worker_threads';

/**
 * How much higher the thread's nice value is than that of request handling. Bulk mail has the same difference
 * (lower-priority.ts). Linux sets priorities per thread.
 */
const STEPS = 10;

/** Source code of the thread. It is a string, so that it does not depend on the location of the compiled file. */
const WORK = `
  const { parentPort } = require('node:worker_threads');
  const { getPriority, setPriority } = require('node:os');
  const { argon2Sync } = require('node:crypto');
  try { setPriority(Math.min(19, getPriority() + ${STEPS})); } catch {}
  parentPort.on('message', ({ id, parameters }) => {
    try {
      parentPort.postMessage({ id, tag: argon2Sync('argon2id', parameters) });
    } catch (error) {
      parentPort.postMessage({ id, error });
    }
  });`;

interface Waiting {
  done: (tag: Buffer) => void;
  failed: (error: Error) => void;
}

/** A thread that computes one password hash at a time. It keeps libuv's pool free for DNS, files and streams. */
export class HashThread {
  private readonly waiting = new Map<number, Waiting>();
  private worker?: Worker;
  private last = 0;

  /** Number of pending hashes. */
  get load(): number {
    return this.waiting.size;
  }

  derive(parameters: Argon2Parameters): Promise<Buffer> {
    return new Promise((done, failed) => {
      const id = ++this.last;
      this.waiting.set(id, { done, failed });
      (this.worker ??= this.start()).ref();
      this.worker.postMessage({ id, parameters });
    });
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(WORK, { eval: true, execArgv: [] });
    worker.on('message', ({ id, tag, error }: { id: number; tag?: Uint8Array; error?: Error }) => {
      const one = this.waiting.get(id);
      this.waiting.delete(id);
      // An idle thread does not keep the process alive.
      if (this.waiting.size === 0) worker.unref();
      if (tag) one?.done(Buffer.from(tag));
      else one?.failed(error ?? new Error('no hash'));
    });
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      this.worker = undefined;
      for (const { failed } of this.waiting.values()) failed(new Error('the hashing thread ended'));
      this.waiting.clear();
    });
    return worker;
  }
}
