import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router-dom';
import { DISCARD, unsavedInputs } from '../../lib/unsaved-changes';
import { ConfirmDialog } from '../../ui/confirm-dialog';

/** Asks before a navigation or a reload loses input. It stands once: the router allows a single blocker. */
export function UnsavedInputGuard() {
  const [question, setQuestion] = useState(DISCARD);
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const lost = unsavedInputs.lostBy(currentLocation, nextLocation);
    if (lost) setQuestion(lost.question);
    return lost !== undefined;
  });
  useEffect(() => {
    const onBeforeUnload = (event: BeforeUnloadEvent) => {
      if (unsavedInputs.isAnyInMemory()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => window.removeEventListener('beforeunload', onBeforeUnload);
  }, []);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={question.title}
      confirmLabel={question.confirmLabel}
      cancelLabel={question.cancelLabel}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {question.text}
    </ConfirmDialog>
  );
}
