import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { client } from '../../api/client';
import type { BulkJobDto, RecentImportDto, RunningSendDto, RunningTasksDto } from '../../api/endpoints.gen';
import { formatCount, plural } from '../../lib/format';
import { useTitlePrefix } from '../../lib/product';
import { historyEntryPath, listPath, routes } from '../../lib/routes';
import { useToast, type Toast } from '../../ui/toast/toast';

export type RunningSend = RunningSendDto;
export type RunningImport = RecentImportDto;

export const messages = {
  sendDone: 'Send Finished',
  sendFailed: 'Send Failed',
  sendCancelled: 'Send Cancelled',
  importDone: 'Contacts Added!',
  importFailed: 'Failed to Add Contacts',
  importFault: 'An error occurred',
  bulkDone: 'Contacts Changed!',
  bulkFailed: 'Failed to Change Contacts',
} as const;

/** A send, an import or a change of many contacts as the layout shows it. */
export interface Task {
  id: string;
  /** 'Sending', 'Paused', 'Cancelling', 'Importing', 'Changing contacts'. */
  label: string;
  /** A subject, or the name of a list. */
  name: string;
  /** 0 to 100; null while it is not known. */
  percent: number | null;
  path: string;
  isOver: boolean;
  /** Whether the task makes progress; a paused send does not. */
  isProgressing: boolean;
  end: Toast;
}

const percentOf = (done: number, total: number) => (total > 0 ? Math.min(100, Math.floor((done / total) * 100)) : null);

/** The task of a send. When it ends, it says how many messages were delivered and how many were not. */
export function sendTask({ id, subject, status, stopped, recipientCount, counts }: RunningSend): Task {
  const total = Number(recipientCount);
  const parts = [
    `${plural(counts.sent, 'message')} delivered`,
    counts.unconfirmed > 0 && `${counts.unconfirmed} unconfirmed`,
    counts.failed > 0 && `${counts.failed} failed`,
    counts.skipped > 0 && `${counts.skipped} skipped`,
  ];
  return {
    id,
    name: subject,
    percent: percentOf(total - counts.queued, total),
    path: historyEntryPath(id),
    label: stopped === 'paused' ? 'Paused' : stopped === 'cancelled' ? 'Cancelling' : 'Sending',
    isOver: status !== 'pending',
    isProgressing: status === 'pending' && stopped !== 'paused',
    end: {
      title:
        stopped === 'cancelled'
          ? messages.sendCancelled
          : status === 'failed'
            ? messages.sendFailed
            : messages.sendDone,
      description: `${subject}: ${parts.filter(Boolean).join(', ')}`,
      variant: status === 'failed' ? 'destructive' : stopped === 'cancelled' ? 'info' : 'success',
    },
  };
}

/**
 * The task of an import into a list. When it ends, it says how many contacts were added and how many lines were left
 * out.
 */
export function importTask({ id, listId, listName, status, total, added, skipped, message }: RunningImport): Task {
  const isOver = status === 'done' || status === 'failed';
  const summary = `${listName}: ${plural(added, 'contact')} added${skipped > 0 ? `, ${plural(skipped, 'line')} left out` : ''}.`;
  return {
    id,
    name: listName,
    label: 'Importing',
    percent: percentOf(added + skipped, total),
    path: listPath(listId),
    isOver,
    isProgressing: !isOver,
    end: {
      title: status === 'failed' || added === 0 ? messages.importFailed : messages.importDone,
      description: status === 'failed' ? `${listName}: ${message ?? messages.importFault}` : summary,
      variant: status === 'failed' ? 'destructive' : added === 0 ? 'warning' : 'success',
    },
  };
}

/** Names of the bulk changes. */
const bulkNames: Record<BulkJobDto['action'], string> = {
  addTags: 'Add tags',
  removeTags: 'Remove tags',
  addToList: 'Add to a list',
  removeFromList: 'Remove from a list',
  setField: 'Set a field',
  delete: 'Delete contacts',
  forgetTag: 'Take a deleted tag off',
  forgetField: 'Remove the values of a deleted field',
  fieldToText: 'Make a field a text',
};

/** The task of a bulk change. When it ends, it says how many contacts were changed and how many were not. */
export function bulkTask({ id, action, status, total, done, refused, refusedUnlisted }: BulkJobDto): Task {
  const isOver = status === 'done' || status === 'failed';
  const unchanged = refused.length + refusedUnlisted;
  const summary = `${bulkNames[action]}: ${plural(done - unchanged, 'contact')}${unchanged > 0 ? `, ${formatCount(unchanged)} left as they were` : ''}.`;
  return {
    id,
    name: bulkNames[action],
    label: 'Changing contacts',
    percent: percentOf(done, total),
    path: routes.contacts.path,
    isOver,
    isProgressing: !isOver,
    end: {
      title: status === 'failed' ? messages.bulkFailed : messages.bulkDone,
      description: status === 'failed' ? `${bulkNames[action]}: ${messages.importFault}` : summary,
      variant: status === 'failed' ? 'destructive' : unchanged > 0 ? 'warning' : 'success',
    },
  };
}

/** `bulk` is missing while an instance of the previous version answers during an update. */
const tasksOf = ({ sends, imports, bulk = [] }: RunningTasksDto): Task[] => [
  ...sends.map(sendTask),
  ...imports.map(importTask),
  ...bulk.map(bulkTask),
];

const noTasks: Task[] = [];

/** The tasks that have not ended. */
export function useOpenTasks(): Task[] {
  const { data } = client.useGetRunningTasksQuery();
  return useMemo(() => (data ? tasksOf(data).filter(({ isOver }) => !isOver) : noTasks), [data]);
}

/**
 * Shows a toast when a task ends, and the progress in the browser tab's title. Used once, by the layout. The call also
 * returns tasks that ended within the last two minutes.
 */
export function useFollowTasks(): void {
  const { data } = client.useGetRunningTasksQuery();
  const toast = useToast();
  const open = useOpenTasks();
  const reported = useRef<Set<string> | null>(null);
  const report = useEffectEvent((tasks: Task[]) => {
    const ended = tasks.filter(({ isOver }) => isOver);
    // Tasks that had ended before the page was opened are not reported.
    for (const { id, end } of ended) if (reported.current && !reported.current.has(id)) toast(end);
    reported.current = new Set([...(reported.current ?? []), ...ended.map(({ id }) => id)]);
    // A retried task is reported again when it ends.
    for (const { id, isOver } of tasks) if (!isOver) reported.current.delete(id);
  });
  useEffect(() => {
    if (data) report(tasksOf(data));
  }, [data]);
  const progressing = open.filter(({ isProgressing }) => isProgressing);
  const known = progressing.flatMap(({ percent }) => (percent === null ? [] : [percent]));
  useTitlePrefix('tasks', progressing.length === 0 ? '' : known.length > 0 ? `(${Math.min(...known)}%) ` : '(…) ');
}
