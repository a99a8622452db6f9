import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, RequestHandler } from 'express';
import type { JobQueue } from '../../shared/jobs/job-queue.js';
import { QUEUE_NAMES } from '../../shared/jobs/job-handler.js';
import { PRODUCT_NAME } from '../../shared/enums.js';

/**
 * Creates the pages and the API of the queue dashboard under `path`. They check no access, so mount them after a
 * middleware that does.
 */
export function createBoard(jobs: JobQueue, path: string): RequestHandler {
  const server = new ExpressAdapter();
  server.setBasePath(path);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => new BullAdapter(jobs.queue(name))),
    serverAdapter: server,
    options: { uiConfig: { boardTitle: `${PRODUCT_NAME} queues` } },
  });
  const board = server.getRouter() as Express;
  return board.disable('x-powered-by');
}
