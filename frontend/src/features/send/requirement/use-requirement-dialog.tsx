import Button from '@mui/material/Button';
import { useState, type ComponentType, type ReactNode } from 'react';
import { IconClipboard } from '../../../ui/icons';
import { useToast } from '../../../ui/toast/toast';
import type { DraftState } from '../use-draft';
import type { RequirementDialogProps } from './requirement-dialog';

/** The steps on which the dialog is offered: subject and content. */
const OFFERED_STEPS: readonly number[] = [1, 2];

/**
 * 'Paste a requirement': the button, for job posts only, and the dialog, whose code is fetched when it is first opened.
 */
export function useRequirementDialog({ draft, current, replace }: DraftState): {
  button: ReactNode;
  dialog: ReactNode;
} {
  const [Dialog, setDialog] = useState<ComponentType<RequirementDialogProps> | null>(null);
  const [isLoading, setLoading] = useState(false);
  /** The step on which the dialog was opened; null while it is closed. */
  const [openAt, setOpenAt] = useState<number | null>(null);
  /**
   * Each text gets a new instance of the dialog. A finished instance is replaced only when the next one is opened, so
   * that it fades out unchanged.
   */
  const [round, setRound] = useState({ key: 0, isOver: false });
  const toast = useToast();
  const isOffered = draft.emailType === 'job-post' && OFFERED_STEPS.includes(draft.step);
  if (openAt !== null && openAt !== draft.step) setOpenAt(null);
  const show = () => {
    if (round.isOver) setRound({ key: round.key + 1, isOver: false });
    setOpenAt(draft.step);
  };
  const open = () => {
    if (isLoading) return;
    if (Dialog) return show();
    setLoading(true);
    void import('./requirement-dialog')
      .then(
        (module) => {
          setDialog(() => module.RequirementDialog);
          show();
        },
        () => toast({ title: 'The dialog could not be loaded.', variant: 'destructive' }),
      )
      .finally(() => setLoading(false));
  };
  return {
    button: isOffered && (
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconClipboard size={16} aria-hidden />}
        loading={isLoading}
        loadingPosition="start"
        aria-haspopup="dialog"
        onClick={open}
      >
        Paste a requirement
      </Button>
    ),
    dialog: Dialog && (
      <Dialog
        key={round.key}
        open={isOffered && openAt !== null}
        current={current}
        onUse={replace}
        onClose={(isOver) => {
          setOpenAt(null);
          if (isOver) setRound((now) => ({ ...now, isOver }));
        }}
      />
    ),
  };
}
