import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { DeliveryTuning } from '../../delivery/index.js';
import { SendRecords } from '../../history/index.js';
import { DeliveryCounts } from './delivery-totals.service.js';
import type { SendProgressDto } from './report.dto.js';
import { EventStreams, type RequestUser } from '../../../shared/http/index.js';

export interface ProgressListener {
  changed: (progress: SendProgressDto) => void;
  /** Called when no more progress follows: the send has ended, was deleted or cannot be read. */
  ended: () => void;
}

interface Polled {
  listeners: Set<ProgressListener>;
  /** The progress that was reported last, as JSON. */
  last: string;
}

/**
 * Polls the progress of sends that clients follow. Polls each send once per process, however many clients follow it.
 */
@Injectable()
export class ProgressPoller {
  private readonly log = new Logger(ProgressPoller.name);
  private readonly polled = new Map<string, Polled>();

  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly counts: DeliveryCounts,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** Number of sends that are being polled. */
  get size(): number {
    return this.polled.size;
  }

  /**
   * Reports progress to a listener, now and after every change.
   * @returns a function that stops the reports
   */
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
    const progress = await this.read(sendId).catch((error: unknown) => {
      this.log.warn({ err: error, sendId, code: 'progress_unreadable' }, 'the progress of a send could not be read');
      return undefined;
    });
    if (this.polled.get(sendId) !== polled) return;
    const json = progress && JSON.stringify(progress);
    if (json && json !== polled.last) for (const listener of polled.listeners) listener.changed(progress);
    polled.last = json ?? '';
    if (progress?.status === 'pending') {
      setTimeout(() => void this.poll(sendId, polled), this.tuning.progressMs).unref();
      return;
    }
    this.polled.delete(sendId);
    for (const listener of polled.listeners) listener.ended();
  }

  /** Reads the status before the counts, so that the last event of a stream has the final counts. */
  private async read(sendId: string): Promise<SendProgressDto | undefined> {
    const em = this.em.fork();
    const send = await this.records.stateOf(em, sendId);
    return (
      send &&
      ({
        status: send.status,
        ...(send.stopped && { stopped: send.stopped }),
        ...(await this.counts.countsOf(em, sendId, send)),
      } as SendProgressDto)
    );
  }
}

/** Streams the counts of a send, now and after every change, until the send has ended or the stream is closed. */
@Injectable()
export class ProgressStream {
  constructor(
    private readonly streams: EventStreams,
    private readonly poller: ProgressPoller,
  ) {}

  /** @throws 429 if the account has too many open streams */
  follow(user: RequestUser, sendId: string, req: Request, res: Response): void {
    const stream = this.streams.start(user, req, res);
    const leave = this.poller.follow(sendId, {
      changed: (progress) => stream.send(progress),
      ended: () => stream.end(),
    });
    stream.ended.addEventListener('abort', leave);
  }
}
