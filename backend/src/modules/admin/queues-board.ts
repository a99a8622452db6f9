import { createBullBoard } from '@bull-board/api';
import { BullAdapter } from '@bull-board/api/bullAdapter';
import { ExpressAdapter } from '@bull-board/express';
import type { Express, RequestHandler } from 'express';
import type { JobQueue } from '../../shared/jobs/job-queue.js';
import { QUEUE_NAMES } from '../../shared/jobs/job-payloads.js';
import { PRODUCT_NAME } from '../../shared/words/product.js';
import { QUEUES_PATH } from './queues-path.js';

/** The dashboard's pages and calls, guarded by nobody: mount it behind a door. */
export function createBoard(jobs: JobQueue): RequestHandler {
  const server = new ExpressAdapter();
  server.setBasePath(QUEUES_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => new BullAdapter(jobs.queue(name))),
    serverAdapter: server,
    options: { uiConfig: { boardTitle: `${PRODUCT_NAME} queues` } },
  });
  const board = server.getRouter() as Express;
  return board.disable('x-powered-by');
}
