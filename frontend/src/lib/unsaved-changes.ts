import { useEffect, useEffectEvent } from 'react';

interface Address {
  pathname: string;
  search: string;
}

/** How the address changes: as the router names it, or 'CLOSE' for the app's own step back when it closes what it opened. */
export type Move = 'POP' | 'PUSH' | 'REPLACE' | 'CLOSE';

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
  isLostBy: (from: Address, to: Address, move: Move) => boolean;
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
let isClosing = false;
let isStaying = false;
/** How often a change of the address was held up by the question. */
let heldUp = 0;

/** All unsaved input on the screen. The router's only blocker asks here. */
export const unsavedInputs = {
  add(input: () => UnsavedInput): () => void {
    held.add(input);
    return () => void held.delete(input);
  },
  /** The next step back is the app's own: it closes what it opened, and has asked before. */
  noteClosing: (): void => void (isClosing = true),
  /** Makes a change of the address that leaves the screen as it is, such as the first one of a new draft. Nobody is asked. */
  stay(change: () => void): void {
    isStaying = true;
    try {
      change();
    } finally {
      isStaying = false;
    }
  },
  /** @returns whether the person is asked before this change of the address, which then happens later or not at all */
  isHeldUp(change: () => void): boolean {
    const before = heldUp;
    change();
    return heldUp !== before;
  },
  /** The newest input that the change of address loses. */
  lostBy(from: Address, to: Address, move: Exclude<Move, 'CLOSE'>): UnsavedInput | undefined {
    const known = isClosing && move === 'POP' ? 'CLOSE' : move;
    isClosing = false;
    if (isStaying) return undefined;
    const lost = [...held].map((input) => input()).findLast((input) => input.isLostBy(from, to, known));
    if (lost) heldUp += 1;
    return lost;
  },
  isAnyInMemory: (): boolean => [...held].some((input) => input().isInMemory),
};

const otherPath = (from: Address, to: Address) => from.pathname !== to.pathname;

/**
 * For input in a modal dialog: under it only Back and Forward change the address, and they may close what the dialog belongs to, such as a tab.
 * A replaced address of the same path is a search or a page of the screen below, which stays.
 */
export const isLostWithDialog: UnsavedInput['isLostBy'] = (from, to, move) =>
  otherPath(from, to) || (from.search !== to.search && (move === 'POP' || move === 'PUSH'));

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
