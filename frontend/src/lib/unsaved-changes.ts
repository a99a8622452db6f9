import { useEffect, useEffectEvent } from 'react';

interface Address {
  pathname: string;
  search: string;
}

/**
 * Kind of a URL change: the router's kinds, and 'CLOSE' for a step back by the app itself, which closes something that
 * it opened.
 */
export type Move = 'POP' | 'PUSH' | 'REPLACE' | 'CLOSE';

/** The texts of the question before input is lost. */
export interface LeaveQuestion {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
}

export interface UnsavedInput {
  question: LeaveQuestion;
  /** Whether this change of the URL loses the input. */
  isLostBy: (from: Address, to: Address, move: Move) => boolean;
  /** Whether the input exists in this document only, so that a reload or the end of the session loses it. */
  isInMemory: boolean;
}

/** The default question. */
export const DISCARD_QUESTION: LeaveQuestion = {
  title: 'Discard what you typed?',
  text: 'What you typed here has not been saved.',
  confirmLabel: 'Discard',
  cancelLabel: 'Keep editing',
};

const inputReaders = new Set<() => UnsavedInput>();
let isClosing = false;
let isQuestionOff = false;
/** Number of URL changes before which the question was asked. */
let questionsAsked = 0;

/** All unsaved input on the screen. The router's navigation blocker, of which there is only one, asks this object. */
export const unsavedInputs = {
  add(input: () => UnsavedInput): () => void {
    inputReaders.add(input);
    return () => void inputReaders.delete(input);
  },
  /**
   * Announces that the next step back is made by the app itself, which asks first and then closes something that it
   * opened.
   */
  noteClosing: (): void => void (isClosing = true),
  /** Carries out a change of the URL that keeps the screen, such as the first one of a new draft, without asking. */
  withoutQuestion(change: () => void): void {
    isQuestionOff = true;
    try {
      change();
    } finally {
      isQuestionOff = false;
    }
  },
  /**
   * @returns whether the question is asked before this change of the URL. The change then happens later or not at all.
   */
  isQuestionAsked(change: () => void): boolean {
    const before = questionsAsked;
    change();
    return questionsAsked !== before;
  },
  /** The newest input that this change of the URL loses. */
  lostBy(from: Address, to: Address, move: Exclude<Move, 'CLOSE'>): UnsavedInput | undefined {
    const known = isClosing && move === 'POP' ? 'CLOSE' : move;
    isClosing = false;
    if (isQuestionOff) return undefined;
    const lost = [...inputReaders].map((input) => input()).findLast((input) => input.isLostBy(from, to, known));
    if (lost) questionsAsked += 1;
    return lost;
  },
  isAnyInMemory: (): boolean => [...inputReaders].some((input) => input().isInMemory),
};

const otherPath = (from: Address, to: Address) => from.pathname !== to.pathname;

/**
 * Tells whether input in a modal dialog is lost. Below a dialog, only Back and Forward change the URL, and they may
 * close what the dialog belongs to, such as a tab. A replaced URL with the same path is a search or a page of the
 * screen below, which stays.
 */
export const isLostWithDialog: UnsavedInput['isLostBy'] = (from, to, move) =>
  otherPath(from, to) || (from.search !== to.search && (move === 'POP' || move === 'PUSH'));

/**
 * Asks before the screen is left while `when` is true: by default on any change of the path, and by the browser before
 * a reload.
 */
export function useUnsavedInput(
  when: boolean,
  { question = DISCARD_QUESTION, isLostBy = otherPath, isInMemory = true }: Partial<UnsavedInput> = {},
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
