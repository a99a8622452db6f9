import { Injectable } from '@nestjs/common';

/** Numbers of the sending path; tests replace the provider to see hours pass in seconds. */
@Injectable()
export class SendingTuning {
  /** Recipients that one job covers. */
  readonly range: number = 250;
  /** Rows claimed at a time. */
  readonly claim: number = 100;
  /** Messages handed over side by side in a job: what a kill can mail twice. */
  readonly parallel: number = 10;
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
