import { useEffect, useState } from 'react';
import { client } from '../../../api/client';
import type { CheckItemDto, SendCheckDto } from '../../../api/endpoints.gen';
import { previewArgs } from '../api';
import type { Draft } from '../draft';

export type SendCheck = SendCheckDto;
export type CheckItem = CheckItemDto;

/** Ms until the results of link lookups are requested again; doubled each time. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 8_000;
const MAX_ATTEMPTS = 10;

/** State of the link lookups for one composition on this screen. */
const notSeen = { tries: 0, wasOpen: false };

/**
 * The server's check of a composition. A result for an earlier composition is not shown. While links are looked up, the
 * check is requested again.
 * @param skip true while the check is not needed yet
 */
export function useSendCheck(draft: Draft, skip: boolean) {
  const { previewSendDto } = previewArgs(draft);
  const { currentData, error, isFetching, refetch } = client.useCheckSendQuery(
    { checkSendDto: previewSendDto },
    { skip, refetchOnMountOrArgChange: true },
  );
  const check: SendCheck | undefined = skip ? undefined : currentData;
  const [seen, setSeen] = useState(notSeen);
  const isOpen = check?.links.state === 'checking';
  const { tries, wasOpen } = seen;
  if (!check && seen !== notSeen) setSeen(notSeen);
  if (isOpen && !wasOpen) setSeen({ tries, wasOpen: true });
  useEffect(() => {
    if (!isOpen || isFetching || tries >= MAX_ATTEMPTS) return;
    const timer = setTimeout(
      () => {
        setSeen((now) => ({ ...now, tries: now.tries + 1 }));
        void refetch();
      },
      Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries),
    );
    return () => clearTimeout(timer);
  }, [isOpen, isFetching, tries, refetch]);
  return {
    check,
    /** Why there is no check of this composition, or why the latest request failed. */
    error: skip ? undefined : error,
    isFetching,
    /** State of the link lookups: done, running, or given up for now. */
    links: isOpen ? (tries < MAX_ATTEMPTS || isFetching ? 'checking' : 'given up') : 'done',
    /** Results about links that arrive later than the other rows are shown after them. */
    isLinksLate: wasOpen,
    retry: () => {
      if (isOpen) setSeen({ tries: 0, wasOpen: true });
      void refetch();
    },
  } as const;
}

export type CheckQuery = ReturnType<typeof useSendCheck>;

/** Whether the number of recipients is unknown. */
export const isUncounted = ({ check, error }: Pick<CheckQuery, 'check' | 'error'>): boolean =>
  check ? check.forecast === null : error !== undefined;

/** Findings that prevent sending. A missing address is not among them, because the Send button asks for it. */
export const blocking = (check: SendCheck | undefined, isNow: boolean): CheckItem[] =>
  (check?.items ?? []).filter(
    ({ level, code }) => level === 'error' && code !== 'sender_address' && (isNow || code !== 'nobody'),
  );
