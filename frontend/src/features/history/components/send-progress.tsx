import { ProgressBar } from '../../../ui/progress-bar';
import { settled } from '../progress';
import type { DeliveryCounts } from '../api';

/** The live bar of a pending send. */
export function SendProgress({ counts, total, note }: { counts: DeliveryCounts | null; total: number; note?: string }) {
  return <ProgressBar label="Sending" done={counts ? settled(counts) : 0} total={counts ? total : 0} note={note} />;
}
