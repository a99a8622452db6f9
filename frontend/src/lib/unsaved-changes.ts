import { useEffect, useEffectEvent } from 'react';

interface Place {
  pathname: string;
  search: string;
}

/** What is asked before input is lost. */
export interface LeaveQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
}

export interface UnsavedInput {
  question: LeaveQuestion;
  /** Whether going from one address to another loses it. */
  isLostBy: (from: Place, to: Place) => boolean;
  /** It is in this document only: a reload, or the end of the session, loses it. */
  isInMemory: boolean;
}

/** Asked about any form that says nothing more exact. */
export const DISCARD: LeaveQuestion = {
  title: 'Discard what you typed?',
  text: 'What you typed here has not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
};

const held = new Set<() => UnsavedInput>();

/** All input on the screen that is not saved; the router's one blocker asks here, since it allows one only. */
export const unsavedInputs = {
  add(input: () => UnsavedInput): () => void {
    held.add(input);
    return () => void held.delete(input);
  },
  /** The newest input that this change of address loses. */
  lostBy: (from: Place, to: Place): UnsavedInput | undefined => [...held].map((input) => input()).findLast((input) => input.isLostBy(from, to)),
  isAnyInMemory: (): boolean => [...held].some((input) => input().isInMemory),
};

const otherPath = (from: Place, to: Place) => from.pathname !== to.pathname;

/** Asks before the screen is left while `when` holds; by default on any change of the path, and by the browser before a reload. */
export function useUnsavedInput(when: boolean, { question = DISCARD, isLostBy = otherPath, isInMemory = true }: Partial<UnsavedInput> = {}): void {
  const read = useEffectEvent((): UnsavedInput => ({ question, isLostBy, isInMemory }));
  useEffect(() => (when ? unsavedInputs.add(() => read()) : undefined), [when]);
}
