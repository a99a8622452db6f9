import { useEffect, useEffectEvent, useState } from 'react';
import { sendDraftPath } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { useCurrentUser, useSessionState } from '../api';
import { saveErrorOf, useDraftCalls } from './api';
import { isStarted, type Draft } from '../draft';
import { draftCopies } from './draft-copy';
import { DraftSaver } from './draft-saver';
import type { DraftParts, SaveState } from './save-state';
import type { OpenedDraft } from './opened-draft';

export const partsOf = ({ key: _key, ...parts }: Draft): DraftParts => parts;

/** Autosaves the draft on the server, with a local copy while there are unsaved changes. */
export function useSaver(opened: OpenedDraft, draft: Draft, onCreated: (id: string) => void) {
  const user = useCurrentUser();
  // The draft stays that of the user who opened it, whoever signs in while the screen is being left.
  const [ownerId] = useState(user.id);
  const calls = useDraftCalls();
  const sessionState = useSessionState(ownerId);
  const { write } = useAddress();
  const [state, setState] = useState<SaveState>(opened.state);
  const [created, setCreated] = useState<string | null>(null);
  const [saver] = useState(() => {
    const made: DraftSaver = new DraftSaver(
      {
        create: calls.create,
        save: calls.save,
        load: calls.load,
        saveErrorOf,
        sessionState,
        onCreated: ({ id }) => setCreated(id),
        // Keeps the object of an unchanged state, which avoids a render.
        onState: (next) => setState((now) => (now.name === next.name && Object.keys(next).length === 1 ? now : next)),
        onSafe: () => draftCopies.remove(ownerId, made.id),
      },
      opened.stored && { id: opened.stored.saved.id, version: opened.stored.saved.version },
      opened.stored && opened.stored.parts,
    );
    if (opened.state.name === 'conflict') made.stop();
    // A scheduled email is saved only by its button.
    if (opened.scheduled) made.close();
    return made;
  });
  const arrive = useEffectEvent((id: string) => {
    onCreated(id);
    // The step may change at the same time, so one navigation writes both changes.
    write({}, { replace: true, pathname: sendDraftPath(id) });
  });
  useEffect(() => {
    if (created) arrive(created);
  }, [created]);

  const note = useEffectEvent(() => {
    saver.change(partsOf(draft), isStarted(draft));
    if (!saver.isUnsaved) return;
    if (saver.id !== null || isStarted(draft)) draftCopies.write(ownerId, draft, saver.id, saver.version);
    else draftCopies.remove(ownerId, null);
  });
  const { emailType, emailListIds, audience, subject, preheader, content, document: written, step } = draft;
  const { brand, signature, job, files } = draft;
  useEffect(
    () => note(),
    [emailType, emailListIds, audience, subject, preheader, content, written, brand, signature, job, files, step],
  );

  useEffect(() => {
    if (opened.fromCopy) void saver.flush();
    const save = () => void saver.flush();
    const onVisibility = () => document.visibilityState === 'hidden' && save();
    window.addEventListener('pagehide', save);
    window.addEventListener('online', save);
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      save();
      window.removeEventListener('pagehide', save);
      window.removeEventListener('online', save);
      document.removeEventListener('visibilitychange', onVisibility);
    };
  }, [saver, opened]);

  // Saves when the step changes.
  useEffect(() => void saver.flush(), [saver, draft.step]);
  return { saver, state, ownerId };
}
