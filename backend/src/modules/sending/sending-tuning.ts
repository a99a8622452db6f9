import { Injectable } from '@nestjs/common';

/** Numbers of the sending path; tests replace the provider to see hours pass in seconds. */
@Injectable()
export class SendingTuning {
  /** Recipients that one job covers. */
  readonly range: number = 500;
  /** Rows claimed at a time. */
  readonly claim: number = 500;
  /** Smallest group that is made ready together: what the connections carry at a time. */
  readonly parallel: number = 10;
  /** Messages handed over and not yet settled, over all jobs of a worker: what a kill can mail twice at most. */
  readonly window: number = 30;
  /** Pause in which results gather before they are written together. */
  readonly settleMs: number = 4;
  /** How long a claim holds without being renewed. */
  readonly leaseSeconds: number = 60;
  /** Pause after the mail server itself was in trouble. */
  readonly holdSeconds: number = 30;
  /** Times a message whose outcome stayed unknown is sent again. */
  readonly ambiguousLimit: number = 3;
  readonly sweepMs: number = 15_000;
  /** How often an open progress stream looks for a change. */
  readonly progressMs: number = 700;
}
