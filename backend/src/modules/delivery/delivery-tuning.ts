import { Injectable } from '@nestjs/common';
import { MAX_POLICY_PAUSE_SECONDS } from '../mail-accounts/index.js';

/** Tuning values of delivery. Tests replace this provider to run hours in seconds. */
@Injectable()
export class DeliveryTuning {
  /** Positions per range. */
  readonly range: number = 1_000;
  /** Rows read per claim. */
  readonly claim: number = 1_000;
  /** Largest number of recipients of a small send; small sends do not wait for large ones. */
  readonly smallSend: number = 200;
  /** Ms of one slice, after which the next account is served. */
  readonly sliceMs: number = 3_000;
  /** Sends of more recipients are expanded after the answer. */
  readonly layOutAtOnce: number = 10_000;
  /**
   * First chunk of an expansion, and the size of all chunks while the database is busy: a small chunk holds the
   * processor and page locks only briefly.
   */
  readonly firstChunk: number = 1_000;
  /** Chunk size while the database is otherwise idle. */
  readonly chunk: number = 7_500;
  /** Ms that a call may count a large audience: beyond, the number is an estimate. */
  readonly countMs: number = 900;
  /** Time for the forecast of the check before a send. */
  readonly forecastMs: number = 8_000;
  /** Ms that a statement of an acceptance may take, including its wait for the user's other sends; then the call answers 503. */
  readonly acceptMs: number = 60_000;
  /** Ms that freezing a large audience may take; then its send ends with the reason. */
  readonly freezeMs: number = 600_000;
  /** Smallest batch: what the connections carry at once. */
  readonly parallel: number = 10;
  /** Messages of a worker without a stored result: the most that a kill can duplicate. */
  readonly window: number = 20;
  /** Ms over which results are collected for one statement; fewer once there are `settleAt` of them. */
  readonly settleMs: number = 200;
  readonly settleAt: number = 500;
  /** The same for messages under a low rate. */
  readonly pacedSettleMs: number = 800;
  /** Results that only the worker's result log holds before sending stops: the most that the loss of a machine can duplicate. */
  readonly backlog: number = 1_000;
  /** Seconds of a lease without renewal. */
  readonly leaseSeconds: number = 60;
  /** Seconds of the pause after a failure of the mail server itself. */
  readonly holdSeconds: number = 30;
  /** Times that a message with an unknown outcome is sent again. */
  readonly ambiguousLimit: number = 3;
  /** Seconds before a provider with stalled connections is tried again. */
  readonly stalledPauseSeconds: number = 5;
  /** A provider that keeps refusing for its rate gets at least one message in this many seconds. */
  readonly slowestSeconds: number = 60;
  /** Poll interval for backlogs in ms, where no event wakes the dispatcher. */
  readonly backlogPollMs: number = 1_000;
  /** Seconds for which mail to a domain is paused after policy refusals; then it gets single messages. */
  readonly policyPauseSeconds: number = MAX_POLICY_PAUSE_SECONDS;
  readonly sweepMs: number = 15_000;
  /** Poll interval of an open progress stream in ms. */
  readonly progressMs: number = 700;
}
