import { useBlocker } from 'react-router-dom';
import { ConfirmDialog } from '../../../ui/confirm-dialog';

/** Asks before a half-written send is left. */
export function LeaveGuard({ when }: { when: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => when && currentLocation.pathname !== nextLocation.pathname);
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Leave this draft?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      Nothing has been sent. The draft stays on this device; open Send Email to go on with it.
    </ConfirmDialog>
  );
}
