import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { openDraftChannel, type DraftMessage } from './draft-channel';
import type { SaveState } from './save-state';

interface Handlers {
  onSaved: (version: number, updatedAt: string) => void;
  onGone: (what: 'sent' | 'deleted') => void;
}

/**
 * Tracks whether the draft is open in another window of this browser, and exchanges saves, sends and deletions with it.
 */
export function useOtherWindows(draftId: string | null, state: SaveState, version: number | null, on: Handlers) {
  const [others, setOthers] = useState<ReadonlySet<string>>(new Set());
  const channel = useRef<ReturnType<typeof openDraftChannel>>(undefined);
  const onMessage = useEffectEvent((message: DraftMessage) => {
    if (message.draftId !== draftId) return;
    const { kind, from } = message;
    if (kind === 'open') channel.current?.send({ kind: 'here', draftId });
    if (kind === 'closed') setOthers((now) => new Set([...now].filter((one) => one !== from)));
    else setOthers((now) => new Set([...now, from]));
    if (kind === 'saved' && message.version !== undefined) on.onSaved(message.version, message.updatedAt ?? '');
    if (kind === 'sent' || kind === 'deleted') on.onGone(kind);
  });
  useEffect(() => {
    if (draftId === null) return;
    const opened = openDraftChannel((message) => onMessage(message));
    channel.current = opened;
    opened.send({ kind: 'open', draftId });
    return () => {
      opened.send({ kind: 'closed', draftId });
      opened.close();
      channel.current = undefined;
      setOthers(new Set());
    };
  }, [draftId]);
  const savedAt = state.name === 'saved' ? state.at : null;
  const announcedVersion = useRef(version);
  useEffect(() => {
    if (draftId === null || version === null || savedAt === null || announcedVersion.current === version) return;
    announcedVersion.current = version;
    channel.current?.send({ kind: 'saved', draftId, version, updatedAt: savedAt });
  }, [draftId, version, savedAt]);
  return {
    isOpenElsewhere: others.size > 0,
    announce: (kind: 'sent' | 'deleted') => draftId !== null && channel.current?.send({ kind, draftId }),
  };
}
