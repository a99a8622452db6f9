import { Injectable } from '@nestjs/common';

/** Numbers of the sending path; tests replace the provider to see hours pass in seconds. */
@Injectable()
export class SendingTuning {
  /** Recipients that one job covers. */
  readonly range: number = 1_000;
  /** Rows claimed at a time. */
  readonly claim: number = 1_000;
  /** A send of at most so many recipients waits for no large one. */
  readonly smallSend: number = 200;
  /** How long a job works on one send before others have their turn. */
  readonly turnMs: number = 3_000;
  /** Sends of more recipients are laid out after the answer … */
  readonly layOutAtOnce: number = 10_000;
  /** … chunk by chunk: small ones at first and while others want the database, so that none takes the processor or a page's lock from them for long … */
  readonly firstChunk: number = 1_000;
  /** … and larger ones where nobody does. */
  readonly chunk: number = 7_500;
  /** Smallest group that is made ready together: what the connections carry at a time. */
  readonly parallel: number = 10;
  /** Messages handed over whose result is kept nowhere yet, over all jobs of a worker: what a kill can mail twice at most. */
  readonly window: number = 20;
  /** Results gather so long, or until there are so many, before they are written together … */
  readonly settleMs: number = 200;
  readonly settleAt: number = 500;
  /** … and sending waits while so many are kept only in the worker's journal: what the loss of a whole machine can mail twice at most. */
  readonly backlog: number = 1_000;
  /** How long a claim holds without being renewed. */
  readonly leaseSeconds: number = 60;
  /** Pause after the mail server itself was in trouble. */
  readonly holdSeconds: number = 30;
  /** Times a message whose outcome stayed unknown is sent again. */
  readonly ambiguousLimit: number = 3;
  /** Pause before a provider whose connections all hang is looked at again. */
  readonly stalledPauseSeconds: number = 5;
  /** A provider that keeps asking for less gets one message in so many seconds at least. */
  readonly slowestSeconds: number = 60;
  /** How often a worker looks for mail that waits for its provider, where nothing tells it when. */
  readonly backlogPollMs: number = 1_000;
  /** What waits for a domain that refuses our mail as such is held back so long; then it is asked by one message at a time. */
  readonly policyPauseSeconds: number = 1_800;
  /** Longest a test mail takes, and what each failed one at a host of an admin's choice takes. */
  readonly testMailMs: number = 15_000;
  readonly sweepMs: number = 15_000;
  /** How often an open progress stream looks for a change. */
  readonly progressMs: number = 700;
}
