import { useState } from 'react';
import { errorMessage } from '../../api/api-error';
import { useToast } from '../../ui/toast/toast';

interface UndoableDelete {
  /** What is deleted; shown below the titles of the toasts. */
  name: string;
  remove: () => Promise<unknown>;
  restore: () => Promise<unknown>;
  /** Called as soon as it is deleted. */
  onRemoved: () => void;
  titles: { removed: string; removeFailed: string; restored: string; restoreFailed: string };
  /** Why it could not be deleted. */
  failureText: (fault: unknown) => string;
  /** Shown where it could not be restored and the server sent no text. */
  restoreFailedText: string;
}

/**
 * Deletes something whose success toast offers Undo.
 * @returns `confirm` deletes it; `error` says why that failed, for the dialog that asked
 */
export function useUndoableDelete(deletion: UndoableDelete) {
  const { name, remove, restore, onRemoved, titles, failureText, restoreFailedText } = deletion;
  const toast = useToast();
  const [error, setError] = useState<string>();
  const undo = async () => {
    try {
      await restore();
      toast({ title: titles.restored, description: name, variant: 'success' });
    } catch (fault) {
      const description = errorMessage(fault, restoreFailedText);
      toast({ title: titles.restoreFailed, description, variant: 'destructive' });
    }
  };
  const confirm = async () => {
    try {
      await remove();
      toast({ title: titles.removed, description: name, variant: 'success', onUndo: undo });
      onRemoved();
    } catch (fault) {
      const description = failureText(fault);
      setError(`${titles.removeFailed}: ${description}`);
      toast({ title: titles.removeFailed, description, variant: 'destructive' });
    }
  };
  return { confirm, error };
}
