import { setTimeout as pause } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EntityManager } from '@mikro-orm/postgresql';
import { HistoryBook } from '../history/index.js';
import { SendReport } from './send-report.service.js';
import { SendingTuning } from './sending-tuning.js';

const HEARTBEAT_MS = 15_000;

/** Follows a send: the counts at once and on every change, until it has ended or nobody listens any more. */
@Injectable()
export class ProgressStream implements BeforeApplicationShutdown {
  private readonly ending = new AbortController();

  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly report: SendReport,
    private readonly tuning: SendingTuning,
  ) {}

  beforeApplicationShutdown(): void {
    this.ending.abort();
  }

  async follow(sendId: string, req: Request, res: Response): Promise<void> {
    const gone = new AbortController();
    req.on('close', () => gone.abort());
    const stop = AbortSignal.any([gone.signal, this.ending.signal]);
    res.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform', Connection: 'keep-alive', 'X-Accel-Buffering': 'no',
    });
    try {
      await this.write(sendId, res, stop);
    } finally {
      res.end();
    }
  }

  private async write(sendId: string, res: Response, stop: AbortSignal): Promise<void> {
    let last = '';
    let lastWrite = Date.now();
    while (!stop.aborted) {
      const event = await this.event(sendId);
      const data = JSON.stringify(event);
      if (data !== last) res.write(`data: ${data}\n\n`);
      else if (Date.now() - lastWrite >= HEARTBEAT_MS) res.write(': still here\n\n');
      if (data !== last || Date.now() - lastWrite >= HEARTBEAT_MS) lastWrite = Date.now();
      last = data;
      if (event?.status !== 'pending') return;
      await pause(this.tuning.progressMs, undefined, { signal: stop }).catch(() => undefined);
    }
  }

  /** The status is read before the counts: what ends the stream never shows older counts. */
  private async event(sendId: string) {
    const entry = await this.book.byId(this.em, sendId);
    return entry && { status: entry.status, ...(entry.stopped && { stopped: entry.stopped }), ...(await this.report.counts(sendId)) };
  }
}
