import { useState, type ReactNode } from 'react';
import { errorMessage } from '../../api/api-error';
import { ConfirmDialog } from './confirm-dialog';

interface DeleteDialogProps {
  title: string;
  confirmLabel?: string;
  /** What else the deletion affects. */
  children: ReactNode;
  onDelete: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is deleted. If the server refuses, stays open and shows the reason. */
export function DeleteDialog({ title, confirmLabel = 'Delete', children, onDelete, onClose }: DeleteDialogProps) {
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async () => {
    setPending(true);
    try {
      await onDelete();
      onClose();
    } catch (error) {
      setFailure(errorMessage(error, 'Please try again.'));
      setPending(false);
    }
  };
  return (
    <ConfirmDialog
      open
      title={title}
      confirmLabel={confirmLabel}
      destructive
      pending={pending}
      error={failure}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      {children}
    </ConfirmDialog>
  );
}
