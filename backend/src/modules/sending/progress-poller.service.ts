import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { HistoryBook } from '../history/index.js';
import { DeliveryCounts } from './delivery-counts.service.js';
import type { SendProgressDto } from './dto/report.dto.js';
import { SendingTuning } from './sending-tuning.js';

export interface ProgressListener {
  changed: (progress: SendProgressDto) => void;
  /** The send has ended or is gone, or it cannot be looked at; nothing more comes. */
  ended: () => void;
}

interface Polled {
  listeners: Set<ProgressListener>;
  /** What was told last, as JSON. */
  last: string;
}

/** Looks at sends that somebody follows: one look per send and process, however many follow it. */
@Injectable()
export class ProgressPoller {
  private readonly log = new Logger(ProgressPoller.name);
  private readonly polled = new Map<string, Polled>();

  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly counts: DeliveryCounts,
    private readonly tuning: SendingTuning,
  ) {}

  /** Sends that are looked at. */
  get size(): number {
    return this.polled.size;
  }

  /** Tells a listener where the send stands, now and on every change. @returns ends that */
  follow(sendId: string, listener: ProgressListener): () => void {
    const known = this.polled.get(sendId);
    if (known) {
      known.listeners.add(listener);
      if (known.last) listener.changed(JSON.parse(known.last) as SendProgressDto);
    } else {
      const polled = { listeners: new Set([listener]), last: '' };
      this.polled.set(sendId, polled);
      void this.poll(sendId, polled);
    }
    return () => {
      const polled = this.polled.get(sendId);
      polled?.listeners.delete(listener);
      if (polled?.listeners.size === 0) this.polled.delete(sendId);
    };
  }

  private async poll(sendId: string, polled: Polled): Promise<void> {
    const progress = await this.look(sendId).catch((error: unknown) => {
      this.log.warn({ err: error, sendId, code: 'progress_unreadable' }, 'the progress of a send could not be read');
      return undefined;
    });
    if (this.polled.get(sendId) !== polled) return;
    const told = progress && JSON.stringify(progress);
    if (told && told !== polled.last) for (const listener of polled.listeners) listener.changed(progress);
    polled.last = told ?? '';
    if (progress?.status === 'pending') {
      setTimeout(() => void this.poll(sendId, polled), this.tuning.progressMs).unref();
      return;
    }
    this.polled.delete(sendId);
    for (const listener of polled.listeners) listener.ended();
  }

  /** The status is read before the counts: what ends a stream never shows older counts. */
  private async look(sendId: string): Promise<SendProgressDto | undefined> {
    const em = this.em.fork();
    const send = await this.book.standing(em, sendId);
    return send && ({ status: send.status, ...(send.stopped && { stopped: send.stopped }), ...(await this.counts.ofStanding(em, sendId, send)) } as SendProgressDto);
  }
}
