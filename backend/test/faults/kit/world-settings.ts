import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The delivery engine's waits in seconds instead of minutes. */
export const TUNING = {
  leaseSeconds: 2,
  holdSeconds: 1,
  sweepMs: 500,
  stalledPauseSeconds: 1,
  claim: 100,
  range: 100,
  window: 10,
  parallel: 5,
  layOutAtOnce: 2_000,
  firstChunk: 200,
  chunk: 1_000,
  progressMs: 100,
};
/** Timeouts of servers and clients, in milliseconds. */
export const SMTP_LIMITS = { connectMs: 1_000, greetingMs: 1_000, setUpMs: 2_000, commandMs: 3_000, afterDotMs: 4_000 };
export const SERVER_LIMITS = { headersMs: 3_000, requestMs: 6_000, checkIntervalMs: 500 };
/** Connections to the mail server. Together with the window of TUNING, they allow a worker ten messages in flight. */
export const CONNECTIONS = 6;
export const JOB_LOCKS = { lockDuration: 2_000, stalledInterval: 1_000 };
/** Keeps Node's compile cache, because a run starts many processes. */
export const COMPILED = join(tmpdir(), 'staffcast-faults-compiled');
export const SCALED = pathToFileURL(join(import.meta.dirname, 'scaled-timers.mjs')).href;

/** Environment for `start` that keeps the product's own waits. */
export const AS_SHIPPED = { FAULT_TUNING: '{}', FAULT_JOBS: '{}', FAULT_SMTP: '{}', FAULT_HTTP: '{}' };

export interface Account {
  id: string;
  email: string;
  cookie: string;
}

export interface Start {
  webs?: number;
  workers?: number;
  /** Settings of all processes, which override the usual ones. */
  env?: Record<string, string>;
  /** Delivery tuning of all processes. */
  tuning?: Record<string, number>;
  /** Starts with an empty database, which the first process migrates. */
  database?: 'migrated' | 'empty';
  tablespace?: string;
  /** Database role of the processes; the superuser if absent. */
  role?: string;
}
