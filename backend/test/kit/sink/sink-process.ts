import { SmtpSink } from './smtp-sink.js';
import { type SinkModes } from './sink-modes.js';

/** Orders from the parent to the sink's process, and the answers. */
export type SinkOrder = { modes: SinkModes } | { reset: true } | { phase: number } | { ask: 'counts' };
export interface SinkCounts {
  messages: number;
  distinct: number;
  extraCopies: number;
  /** By phase, see SmtpSink. */
  extraByPhase: number[];
  cuts: number;
  firstAt: number;
  lastAt: number;
  /** Milliseconds. */
  longestGap: number;
  /** Times of the 1000th, 2000th … message. */
  marks: number[];
  /** By provider, where the sink enforces rates. */
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
