import { useEffect, useEffectEvent, useMemo, useRef } from 'react';
import { useTitlePrefix } from '../../lib/use-document-title';
import { useToast } from '../../ui/toast';
import { useRunningTasks } from './api';
import { importTask, sendTask, type Task } from './task';

const nothing: Task[] = [];

/** The tasks that have not ended, for any part of the layout. */
export function useOpenTasks(): Task[] {
  const { data } = useRunningTasks();
  return useMemo(() => (data ? [...data.sends.map(sendTask), ...data.imports.map(importTask)].filter(({ isOver }) => !isOver) : nothing), [data]);
}

/** Follows what runs wherever the person is: its end is told by a toast, and how far it is by the browser tab's title. Used once, by the layout. */
export function useFollowTasks(): void {
  const { data } = useRunningTasks();
  const toast = useToast();
  const open = useOpenTasks();
  const told = useRef<Set<string> | null>(null);
  const tell = useEffectEvent((tasks: Task[]) => {
    const ended = tasks.filter(({ isOver }) => isOver);
    // What had ended before this page was opened is no news.
    for (const { id, end } of ended) if (told.current && !told.current.has(id)) toast(end);
    told.current = new Set([...(told.current ?? []), ...ended.map(({ id }) => id)]);
    // Tried again: its next end is news.
    for (const { id, isOver } of tasks) if (!isOver) told.current.delete(id);
  });
  useEffect(() => {
    if (data) tell([...data.sends.map(sendTask), ...data.imports.map(importTask)]);
  }, [data]);
  const moving = open.filter(({ isMoving }) => isMoving);
  const known = moving.flatMap(({ percent }) => (percent === null ? [] : [percent]));
  useTitlePrefix(moving.length === 0 ? '' : known.length > 0 ? `(${Math.min(...known)}%) ` : '(…) ');
}
