import { useEffect, useEffectEvent } from 'react';

interface Address {
  pathname: string;
  search: string;
}

/** The question before input is lost. */
export interface LeaveQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
}

export interface UnsavedInput {
  question: LeaveQuestion;
  /** Whether the change of address loses the input. */
  isLostBy: (from: Address, to: Address) => boolean;
  /** The input exists in this document only, so a reload or the end of the session loses it. */
  isInMemory: boolean;
}

/** The default question. */
export const DISCARD: LeaveQuestion = {
  title: 'Discard what you typed?',
  text: 'What you typed here has not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
};

const held = new Set<() => UnsavedInput>();

/** All unsaved input on the screen. The router's only blocker asks here. */
export const unsavedInputs = {
  add(input: () => UnsavedInput): () => void {
    held.add(input);
    return () => void held.delete(input);
  },
  /** The newest input that the change of address loses. */
  lostBy: (from: Address, to: Address): UnsavedInput | undefined =>
    [...held].map((input) => input()).findLast((input) => input.isLostBy(from, to)),
  isAnyInMemory: (): boolean => [...held].some((input) => input().isInMemory),
};

const otherPath = (from: Address, to: Address) => from.pathname !== to.pathname;

/** Asks before the screen is left while `when` is true: by default on any change of the path, and by the browser before a reload. */
export function useUnsavedInput(
  when: boolean,
  { question = DISCARD, isLostBy = otherPath, isInMemory = true }: Partial<UnsavedInput> = {},
): void {
  const read = useEffectEvent((): UnsavedInput => ({ question, isLostBy, isInMemory }));
  useEffect(() => (when ? unsavedInputs.add(() => read()) : undefined), [when]);
}

/** Enables the browser's question before a reload or a closed tab loses input. */
export function useReloadQuestion(): void {
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedInputs.isAnyInMemory()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, []);
}
