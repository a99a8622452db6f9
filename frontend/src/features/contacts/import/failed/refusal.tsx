import Alert from '@mui/material/Alert';
import { useState } from 'react';
import { errorMessage } from '../../../../api/api-error';
import { IconError } from '../../../../ui/icons';
import { useToast } from '../../../../ui/toast/toast';
import { messages } from '../api';

interface RefusalProps {
  text: string;
  onDismiss: () => void;
  /** Whether a toast has the same text, so that this one is not announced to screen readers. */
  hasToast?: boolean;
}

/** The server's refusal, at the place where the action was tried. */
export function Refusal({ text, onDismiss, hasToast = false }: RefusalProps) {
  return (
    <Alert
      role={hasToast ? 'note' : 'alert'}
      severity="error"
      icon={<IconError size={18} aria-hidden />}
      onClose={onDismiss}
      closeText="Dismiss"
      // The only action is the close button, which needs no line of its own on a phone.
      sx={{ mb: 2, overflowWrap: 'anywhere', flexWrap: 'nowrap', '& .MuiAlert-action': { flexBasis: 'auto', pl: 1.5 } }}
    >
      {text}
    </Alert>
  );
}

/**
 * Makes a call that may be refused. A refusal is shown as a toast and also in place, by `refusal`, because toasts close
 * by themselves and the user needs the text to continue. The text in place stays until it is dismissed or the call is
 * repeated.
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
