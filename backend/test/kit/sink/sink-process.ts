import { SmtpSink } from './smtp-sink.js';
import { type SinkModes } from './sink-modes.js';

/** Orders from the parent to the sink process. Each one is answered with the counts. */
export type SinkOrder = { modes: SinkModes } | { reset: true } | { phase: number } | { ask: 'counts' };
export interface SinkCounts {
  messages: number;
  distinct: number;
  extraCopies: number;
  /** Further copies by phase, as in SmtpSink. */
  extraByPhase: number[];
  cuts: number;
  firstAt: number;
  lastAt: number;
  /** Longest time between two messages, in ms. */
  longestGap: number;
  /** Times in ms of the 1,000th, 2,000th … message. */
  marks: number[];
  /** Counts by provider, if the sink enforces rates. */
  byProvider: Record<string, { accepted: number; refused: number }>;
}

const sink = new SmtpSink({ bodies: false, log: false });
process.on('message', (order: SinkOrder) => {
  if ('modes' in order) sink.modes = order.modes;
  else if ('reset' in order) sink.reset();
  else if ('phase' in order) sink.phase = order.phase;
  process.send!({
    messages: sink.messages,
    distinct: sink.distinct,
    extraCopies: sink.extraCopies,
    extraByPhase: sink.extraByPhase,
    cuts: sink.cuts,
    firstAt: sink.firstAt,
    lastAt: sink.lastAt,
    longestGap: sink.longestGap,
    marks: sink.marks,
    byProvider: Object.fromEntries(
      [...sink.byProvider].map(([name, { accepted, refused }]) => [name, { accepted, refused }]),
    ),
  } satisfies SinkCounts);
});
process.on('disconnect', () => process.exit(0));
process.send!(await sink.listen());
