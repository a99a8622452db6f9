import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { restAfter } from '../../shared/database/background-rest.js';

/** A small question that is answered sooner says that nobody else is at work. */
const ALONE_MS = 3;

/**
 * The rests that work in the background takes between its parts: none where the database answers at once, longer ones the longer a small
 * question took. What it waited for (the processor, a lock, the disk), somebody at a screen waits for too.
 */
@Injectable()
export class Courtesy {
  private tookMs = Infinity;

  /** Whether a larger part would be in nobody's way. */
  get isAlone(): boolean {
    return this.tookMs < ALONE_MS;
  }

  /** Asks a small question of the database, and remembers how long it took. */
  async timed<T>(ask: () => Promise<T>): Promise<T> {
    const asked = performance.now();
    try {
      return await ask();
    } finally {
      this.tookMs = performance.now() - asked;
    }
  }

  /** Rests as long as the last answer took too long. */
  async rest(): Promise<void> {
    const ms = restAfter(this.tookMs);
    if (ms > 0) await pause(ms);
  }
}
