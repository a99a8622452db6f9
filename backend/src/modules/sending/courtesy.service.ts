import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

/** A small question that is answered sooner says that nobody waits. */
const QUICK_MS = 10;
/** Rest for each millisecond beyond it … */
const REST = 20;
/** … and no longer, so that a large send is still laid out faster than one worker delivers it. */
const LONGEST_MS = 1_000;

/**
 * The rests that work in the background takes between its parts: none where the database answers at once, longer ones the longer a small
 * question took. What it waited for (the processor, a lock, the disk), somebody at a screen waits for too.
 */
@Injectable()
export class Courtesy {
  private tookMs = 0;

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

export const restAfter = (tookMs: number): number => Math.min(LONGEST_MS, Math.max(0, tookMs - QUICK_MS) * REST);
