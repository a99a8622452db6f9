import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { mayTypes } from '../../../lib/roles';
import { AGAIN, TO_LIST } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, usePastSend, type PastSend } from '../api';
import { isBegun } from '../draft';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';

/**
 * Starts the draft from what the address names: a send of the past, which replaces a draft that has been begun only after asking,
 * or a list, which takes the place of the lists chosen so far.
 */
export function StartFrom({ state }: { state: DraftState }) {
  const { params, write } = useAddress();
  const [asked, setAsked] = useState<PastSend | null>(null);
  const load = usePastSend();
  const user = useCurrentUser();
  const toast = useToast();
  const id = params.get(AGAIN);
  const listId = params.get(TO_LIST);
  const begun = useRef<string | null>(null);
  const fill = ({ emailType, lists, subject, content }: PastSend) => {
    const emailListIds = lists.flatMap((list) => list.id ?? []);
    state.clear();
    state.change({ ...(mayTypes(user.role, user.isAdmin).includes(emailType) && { emailType }), emailListIds, subject, content });
    setAsked(null);
  };
  const begin = useEffectEvent(async (past: string) => {
    // The draft that is there stays where it was left, until this one takes its place.
    write({ [AGAIN]: null, step: state.leftAt > 0 ? String(state.leftAt + 1) : null }, { replace: true });
    try {
      const found = await load(past);
      if (isBegun(state.draft)) setAsked(found);
      else fill(found);
    } catch {
      toast({ title: messages.againFailed, variant: 'destructive' });
    }
  });
  const addressTo = useEffectEvent((list: string) => {
    write({ [TO_LIST]: null, step: null }, { replace: true });
    state.change({ emailListIds: [list] });
  });
  useEffect(() => {
    if (listId) addressTo(listId);
  }, [listId]);
  useEffect(() => {
    if (!id || begun.current === id) return;
    begun.current = id;
    void begin(id);
  }, [id]);
  return (
    <ConfirmDialog open={asked !== null} title="Replace your draft?" confirmLabel="Replace" cancelLabel="Keep my draft" destructive onConfirm={() => asked && fill(asked)} onCancel={() => setAsked(null)}>
      {`You have begun another email${state.draft.subject ? `, "${state.draft.subject}"` : ''}. "${asked?.subject ?? ''}" takes its place.`}
    </ConfirmDialog>
  );
}
