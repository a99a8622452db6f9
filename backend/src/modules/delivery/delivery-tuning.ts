import { Injectable } from '@nestjs/common';
import { MAX_POLICY_PAUSE_SECONDS } from '../mail-accounts/index.js';

/** Tuning values of delivery. Tests replace this provider to simulate hours in seconds. */
@Injectable()
export class DeliveryTuning {
  /** Positions per range. */
  readonly range: number = 1_000;
  /** Rows read per claim. */
  readonly claim: number = 1_000;
  /** Maximum recipients of a small send. Small sends do not wait for large ones. */
  readonly smallSend: number = 200;
  /** Length of one slice in ms, after which the next account is served. */
  readonly sliceMs: number = 3_000;
  /**
   * Maximum recipients of a send that is expanded before the request is answered. Larger sends are expanded by workers.
   */
  readonly layOutAtOnce: number = 10_000;
  /**
   * Size of an expansion's first chunk, and of all its chunks while the database is busy. A small chunk occupies the
   * CPU and holds page locks only briefly.
   */
  readonly firstChunk: number = 1_000;
  /** Chunk size while the database is otherwise idle. */
  readonly chunk: number = 7_500;
  /** Ms that a call may spend on counting a large audience. After that, the number is an estimate. */
  readonly countMs: number = 900;
  /** Ms that the forecast of the check before a send may take. */
  readonly forecastMs: number = 8_000;
  /**
   * Ms that a statement of an acceptance may take, including the wait for the user's other sends. After that, the call
   * answers 503.
   */
  readonly acceptMs: number = 60_000;
  /**
   * Ms that freezing a large audience may take. After that, the send ends without recipients, with the timeout as the
   * reason.
   */
  readonly freezeMs: number = 600_000;
  /** Minimum batch size: the number of messages that the connections carry at once. */
  readonly parallel: number = 10;
  /**
   * Maximum messages of a worker without a stored result; MessageDispatcher raises this number for many connections.
   * Killing the worker duplicates no more messages than that.
   */
  readonly window: number = 20;
  /** Ms for which results are collected for one statement; less if `settleAt` results are there earlier. */
  readonly settleMs: number = 200;
  readonly settleAt: number = 500;
  /** Like `settleMs`, for messages under a low rate. */
  readonly pacedSettleMs: number = 800;
  /**
   * Maximum results that only the worker's result log holds. Sending stops at this number, because losing the machine
   * duplicates all of them.
   */
  readonly backlog: number = 1_000;
  /** Seconds after which a lease ends unless it is renewed. */
  readonly leaseSeconds: number = 60;
  /** Length of the pause in seconds after a failure of the mail server itself. */
  readonly holdSeconds: number = 30;
  /** Number of times that a message with an unknown outcome is sent again. */
  readonly ambiguousLimit: number = 3;
  /** Seconds before a provider with stalled connections is tried again. */
  readonly stalledPauseSeconds: number = 5;
  /** Maximum seconds between two messages to a provider that keeps asking for a lower rate. */
  readonly slowestSeconds: number = 60;
  /** Poll interval for backlogs in ms, if no event wakes the dispatcher earlier. */
  readonly backlogPollMs: number = 1_000;
  /**
   * Seconds for which mail to a domain is paused after policy refusals. Afterwards, the rate starts at one message per
   * `slowestSeconds`.
   */
  readonly policyPauseSeconds: number = MAX_POLICY_PAUSE_SECONDS;
  readonly sweepMs: number = 15_000;
  /** Poll interval of an open progress stream in ms. */
  readonly progressMs: number = 700;
}
