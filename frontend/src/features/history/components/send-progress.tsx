import { ProgressBar } from '../../../ui/progress-bar';
import { settled } from '../progress';
import type { DeliveryCounts, HistoryItem } from '../api';

const labels = { paused: 'Paused', cancelled: 'Cancelling', running: 'Sending' } as const;

/** The live bar of a pending send. */
export function SendProgress({ counts, total, note, stopped }: { counts: DeliveryCounts | null; total: number; note?: string; stopped?: HistoryItem['stopped'] }) {
  return <ProgressBar label={labels[stopped ?? 'running']} done={counts ? settled(counts) : 0} total={counts ? total : 0} note={note} />;
}
