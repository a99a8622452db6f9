import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { errorMessage } from '../../../../api/api-error';
import { IconError } from '../../../../ui/icons';
import { useToast } from '../../../../ui/toast/toast';
import { messages } from '../api';

interface RefusalProps {
  text: string;
  onDismiss: () => void;
  /** A toast says the same, so that a screen reader does not read it out here too. */
  hasToast?: boolean;
}

/** What the server refused, at the place where it was tried. */
export function Refusal({ text, onDismiss, hasToast = false }: RefusalProps) {
  return (
    <Alert
      role={hasToast ? 'note' : 'alert'}
      severity="error"
      icon={<IconError size={18} aria-hidden />}
      onClose={onDismiss}
      closeText="Dismiss"
      // Its only action is the small cross, which needs no line of its own on a phone.
      sx={{ mb: 2, overflowWrap: 'anywhere', flexWrap: 'nowrap', '& .MuiAlert-action': { flexBasis: 'auto', pl: 1.5 } }}
    >
      {text}
    </Alert>
  );
}

/**
 * Makes a call that may be refused. The refusal is told by a toast, and by `refusal` in place, which stays until it is dismissed or the call is
 * made again: the toast goes by itself, and what it says is needed to go on.
 */
export function useRefusal(title: string) {
  const [text, setText] = useState<string>();
  const toast = useToast();
  return {
    refusal: text && <Refusal text={text} onDismiss={() => setText(undefined)} hasToast />,
    /** @returns whether the call was accepted */
    attempt: async (call: () => Promise<unknown>): Promise<boolean> => {
      setText(undefined);
      try {
        await call();
        return true;
      } catch (fault) {
        const description = errorMessage(fault, messages.tryAgain);
        setText(`${title}. ${description}`);
        toast({ title, description, variant: 'destructive' });
        return false;
      }
    },
  };
}
