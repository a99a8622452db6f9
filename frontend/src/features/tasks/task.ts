import { historyEntryPath, listPath } from '../../lib/routes';
import { plural } from '../../lib/format';
import type { Toast } from '../../ui/toast';
import type { RunningImport, RunningSend } from './api';
import { messages } from './messages';

/** A send or an import, as the layout shows it. */
export interface Task {
  id: string;
  /** 'Sending', 'Paused', 'Importing'. */
  label: string;
  /** What it is about: a subject, a list. */
  name: string;
  /** 0 to 100; null while it is not known. */
  percent: number | null;
  path: string;
  isOver: boolean;
  /** Works at present: a paused send does not. */
  isMoving: boolean;
  end: Toast;
}

const percentOf = (done: number, total: number) => (total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : null);

export function sendTask({ id, subject, status, stopped, recipientCount, counts }: RunningSend): Task {
  const total = Number(recipientCount);
  const parts = [`${plural(counts.sent, 'message')} delivered`, counts.failed > 0 && `${counts.failed} failed`, counts.skipped > 0 && `${counts.skipped} skipped`];
  return {
    id, name: subject, percent: percentOf(total - counts.queued, total), path: historyEntryPath(id),
    label: stopped === 'paused' ? 'Paused' : stopped === 'cancelled' ? 'Cancelling' : 'Sending',
    isOver: status !== 'pending', isMoving: status === 'pending' && stopped !== 'paused',
    end: {
      title: stopped === 'cancelled' ? messages.sendCancelled : status === 'failed' ? messages.sendFailed : messages.sendDone,
      description: `${subject}: ${parts.filter(Boolean).join(', ')}`,
      variant: status === 'failed' ? 'destructive' : stopped === 'cancelled' ? 'info' : 'success',
    },
  };
}

export function importTask({ id, listId, listName, status, total, added, skipped, message }: RunningImport): Task {
  const isOver = status === 'done' || status === 'failed';
  const summary = `${listName}: ${plural(added, 'contact')} added${skipped > 0 ? `, ${plural(skipped, 'line')} left out` : ''}.`;
  return {
    id, name: listName, label: 'Importing', percent: percentOf(added + skipped, total), path: listPath(listId), isOver, isMoving: !isOver,
    end: {
      title: status === 'failed' || added === 0 ? messages.importFailed : messages.importDone,
      description: status === 'failed' ? `${listName}: ${message ?? messages.importFault}` : summary,
      variant: status === 'failed' ? 'destructive' : added === 0 ? 'warning' : 'success',
    },
  };
}
