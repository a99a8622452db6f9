import { useEffect, useState } from 'react';
import { client } from '../../../api/client';
import type { CheckItemDto, SendCheckDto } from '../../../api/endpoints.gen';
import { previewArgs } from '../api';
import type { Draft } from '../draft';

export type SendCheck = SendCheckDto;
export type CheckItem = CheckItemDto;

/** Milliseconds until it is asked again for what became of the links, each time twice as long. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;
const MOST_TRIES = 10;

/**
 * The server's check of a composition. What it said of an older one is not shown. While links are looked up, it is asked again.
 * @param skip it is not needed yet
 */
export function useSendCheck(draft: Draft, skip: boolean) {
  const { previewSendDto } = previewArgs(draft);
  const { currentData, error, isFetching, refetch } = client.useCheckSendQuery(
    { checkSendDto: previewSendDto },
    { skip, refetchOnMountOrArgChange: true },
  );
  const check: SendCheck | undefined = skip ? undefined : currentData;
  const [tries, setTries] = useState(0);
  const isOpen = check?.links.state === 'checking';
  useEffect(() => {
    if (!isOpen || isFetching || tries >= MOST_TRIES) return;
    const timer = setTimeout(
      () => {
        setTries((n) => n + 1);
        void refetch();
      },
      Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries),
    );
    return () => clearTimeout(timer);
  }, [isOpen, isFetching, tries, refetch]);
  return { check, error: check ? undefined : error, isFetching, isLookingUp: isOpen && tries < MOST_TRIES, refetch };
}

/** Rows that keep an email from being sent. The press itself asks for a missing address. */
export const blocking = (check: SendCheck | undefined, isNow: boolean): CheckItem[] =>
  (check?.items ?? []).filter(
    ({ level, code }) => level === 'error' && code !== 'sender_address' && (isNow || code !== 'nobody'),
  );
