import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { mayTypes } from '../../../lib/roles';
import { AGAIN } from '../../../lib/routes';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { useToast } from '../../../ui/toast';
import { useCurrentUser, usePastSend, type PastSend } from '../api';
import { isBegun } from '../draft';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';

/** Starts a draft from a send of the past, when the address names one; a draft that has been begun is replaced only after asking. */
export function UseAgain({ state }: { state: DraftState }) {
  const [params, setParams] = useSearchParams();
  const [asked, setAsked] = useState<PastSend | null>(null);
  const load = usePastSend();
  const user = useCurrentUser();
  const toast = useToast();
  const id = params.get(AGAIN);
  const begun = useRef<string | null>(null);
  const fill = ({ emailType, lists, subject, content }: PastSend) => {
    const emailListIds = lists.flatMap((list) => list.id ?? []);
    state.clear();
    state.change({ ...(mayTypes(user.role, user.isAdmin).includes(emailType) && { emailType }), emailListIds, subject, content });
    setAsked(null);
  };
  const begin = useEffectEvent(async (past: string) => {
    setParams({}, { replace: true });
    try {
      const found = await load(past);
      if (isBegun(state.draft)) setAsked(found);
      else fill(found);
    } catch {
      toast({ title: messages.againFailed, variant: 'destructive' });
    }
  });
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
