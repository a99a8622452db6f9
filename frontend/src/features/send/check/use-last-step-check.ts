import { useEffect, useRef, useState } from 'react';
import { useToast } from '../../../ui/toast/toast';
import { hasRecipients, LAST_STEP } from '../draft';
import { messages } from '../messages';
import type { DraftState } from '../use-draft';
import { withHttps } from './https-links';
import { useCheckedSend } from './use-checked-send';
import { blocking, useSendCheck } from './use-send-check';

/** The check on the last step, the pressed Send button that waits for it, and the fixes in place. */
export function useLastStepCheck(state: DraftState, isLocked: boolean, isNow: boolean, send: () => void) {
  const { draft } = state;
  const query = useSendCheck(draft, draft.step !== LAST_STEP || !hasRecipients(draft));
  const press = useCheckedSend(query, send);
  const makeHttps = useUndoableHttps(state, isLocked);
  const [isAddingAddress, setAddingAddress] = useState(false);
  return { query, press, makeHttps, isAddingAddress, setAddingAddress, toFix: blocking(query.check, isNow) };
}

export type LastStepCheck = ReturnType<typeof useLastStepCheck>;

/** Replaces http by https in links. Undo reverts this unless something else was changed since. */
function useUndoableHttps(state: DraftState, isLocked: boolean) {
  const toast = useToast();
  const mayChange = useRef(true);
  useEffect(() => {
    mayChange.current = !isLocked;
    return () => void (mayChange.current = false);
  }, [isLocked]);
  return () => {
    const { document, content } = state.current();
    const change = withHttps({ document, content });
    state.replace(change);
    const undo = () => {
      const now = state.current();
      const isAsLeft = change.document ? now.document === change.document : now.content === change.content;
      if (mayChange.current && isAsLeft) return state.replace({ document, content });
      toast({ title: messages.notUndone, description: messages.changedSince, variant: 'warning' });
    };
    toast({ title: messages.isHttps, variant: 'success', onUndo: async () => undo() });
  };
}
