import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EventStreams, type RequestUser } from '../../shared/http/index.js';
import { ProgressPoller } from './progress-poller.service.js';

/** Follows a send: the counts at once and on every change, until it has ended or the stream does. */
@Injectable()
export class ProgressStream {
  constructor(private readonly streams: EventStreams, private readonly poller: ProgressPoller) {}

  /** @throws 429 where the account follows too much already */
  follow(user: RequestUser, sendId: string, req: Request, res: Response): void {
    const stream = this.streams.start(user, req, res);
    const leave = this.poller.follow(sendId, { changed: (progress) => stream.send(progress), ended: () => stream.end() });
    stream.ended.addEventListener('abort', leave);
  }
}
