import { useState, type ComponentType } from 'react';
import { useToast } from '../../../ui/toast/toast';
import type { TestSendDialogProps } from './test-send-dialog';
import { testMessages } from './messages';

/** Opens the dialog 'Send a test', whose code is fetched when it is first opened. */
export function useTestDialog() {
  const [Dialog, setDialog] = useState<ComponentType<TestSendDialogProps> | null>(null);
  const [isLoading, setLoading] = useState(false);
  const toast = useToast();
  const open = () => {
    if (isLoading) return;
    setLoading(true);
    void import('./test-send-dialog')
      .then(
        (module) => setDialog(() => module.TestSendDialog),
        () => toast({ title: testMessages.dialogFailed, variant: 'destructive' }),
      )
      .finally(() => setLoading(false));
  };
  return { Dialog, isLoading, open, close: () => setDialog(null) };
}
