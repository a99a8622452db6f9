import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { AddressDialog } from '../wizard/address-dialog';
import type { Draft } from '../draft';
import { messages } from '../messages';
import { CheckPanel } from './check-panel';
import { placeOf, type FindingPlace } from './finding-place';
import type { LastStepCheck } from './use-last-step-check';

interface CheckSectionProps {
  check: LastStepCheck;
  draft: Draft;
  isLocked: boolean;
  /** Shows the part of the message that a finding is about. */
  onShow: (place: FindingPlace) => void;
}

/** The check on the last step. */
export function CheckSection({ check, draft, isLocked, onShow }: CheckSectionProps) {
  return (
    <CheckPanel
      query={check.query}
      actions={{
        isLocked: isLocked || check.press.isWaiting,
        show: (item) => {
          const place = placeOf(item, draft);
          if (place) onShow(place);
        },
        useHttps: check.makeHttps,
        addAddress: () => check.setAddingAddress(true),
      }}
    />
  );
}

/**
 * The dialogs of the check. They are outside the wizard's form, because their submit events would submit that form too.
 */
export function CheckDialogs({ check: { press, isAddingAddress, setAddingAddress } }: { check: LastStepCheck }) {
  return (
    <>
      <ConfirmDialog
        open={press.isAsking}
        title={messages.sendAnyway}
        confirmLabel="Send anyway"
        onConfirm={press.sendAnyway}
        onCancel={press.stop}
      >
        {`${messages.previewFailed} Send anyway?`}
      </ConfirmDialog>
      {/* Saving the address closes the dialog and repeats the check. */}
      {isAddingAddress && (
        <AddressDialog onSaved={() => setAddingAddress(false)} onClose={() => setAddingAddress(false)} />
      )}
    </>
  );
}
