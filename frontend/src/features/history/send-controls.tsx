import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../api/client';
import { formatCount, plural } from '../../lib/format';
import { SaveAsTemplate } from '../../shared/save-as-template';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { IconPause, IconPlay, IconRetry, IconStop } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { failureText, messages, type DeliveryCounts, type HistoryEntry } from './api';
import { DuplicateButton } from './duplicate-button';

const done = { pause: messages.paused, resume: messages.resumed, cancel: messages.cancelled } as const;
type Question = 'pause' | 'cancel' | 'retry';

/** The controls of a send. Pause, cancel and retry ask first and name how many recipients are concerned. */
export function SendControls({ entry, counts }: { entry: HistoryEntry; counts: DeliveryCounts }) {
  const [dialog, setDialog] = useState<Question | null>(null);
  const [pause, pausing] = client.usePauseSendMutation();
  const [resume, resuming] = client.useResumeSendMutation();
  const [cancel, cancelling] = client.useCancelSendMutation();
  const [retry, retrying] = client.useRetrySendMutation();
  const [createTemplate] = client.useCreateTemplateMutation();
  const calls = { pause, resume, cancel };
  const controlling = pausing.isLoading || resuming.isLoading || cancelling.isLoading;
  const toast = useToast();
  const [failure, setFailure] = useState<string>();
  const close = () => {
    setDialog(null);
    setFailure(undefined);
  };
  const report = (error: unknown) => {
    setFailure(`${messages.controlFailed}: ${failureText(error)}`);
    toast({ title: messages.controlFailed, description: failureText(error), variant: 'destructive' });
  };

  const run = async (control: keyof typeof calls) => {
    try {
      await calls[control]({ id: entry.id }).unwrap();
      close();
      toast({ title: done[control], description: entry.subject, variant: 'success' });
    } catch (error) {
      report(error);
    }
  };
  const retryFailed = async () => {
    try {
      const { retried } = await retry({ id: entry.id }).unwrap();
      close();
      toast({
        title: messages.retried,
        description: retried > 0 ? plural(retried, 'recipient') : messages.noneToRetry,
        variant: retried > 0 ? 'success' : 'info',
      });
    } catch (error) {
      report(error);
    }
  };

  const runs = entry.status === 'pending' && entry.stopped !== 'cancelled';
  return (
    <>
      <DuplicateButton id={entry.id} />
      <SaveAsTemplate
        subject={entry.subject}
        onSave={(name) => createTemplate({ createTemplateDto: { fromSendId: entry.id, name } }).unwrap()}
      />
      {entry.retryable > 0 && (
        <Button variant="contained" startIcon={<IconRetry size={16} aria-hidden />} onClick={() => setDialog('retry')}>
          Retry failed ({formatCount(entry.retryable)})
        </Button>
      )}
      {runs && entry.stopped === 'paused' && (
        <Button
          variant="contained"
          startIcon={<IconPlay size={16} aria-hidden />}
          loading={controlling && dialog === null}
          loadingPosition="start"
          onClick={() => void run('resume')}
        >
          Resume
        </Button>
      )}
      {runs && entry.stopped !== 'paused' && (
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconPause size={16} aria-hidden />}
          onClick={() => setDialog('pause')}
        >
          Pause
        </Button>
      )}
      {runs && (
        <Button
          variant="outlined"
          color="error"
          startIcon={<IconStop size={16} aria-hidden />}
          onClick={() => setDialog('cancel')}
        >
          Cancel send
        </Button>
      )}
      <ConfirmDialog
        open={dialog === 'pause'}
        title="Pause this send?"
        confirmLabel="Pause send"
        cancelLabel="Keep sending"
        pending={controlling}
        error={failure}
        onConfirm={() => void run('pause')}
        onCancel={close}
      >
        <Size entry={entry} text={`${plural(counts.queued, 'recipient')} still waiting`} />
        Nothing more goes out until you resume it. Messages that are being delivered at this moment still arrive.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'cancel'}
        title="Cancel this send?"
        confirmLabel="Cancel send"
        cancelLabel="Keep it"
        destructive
        pending={controlling}
        error={failure}
        onConfirm={() => void run('cancel')}
        onCancel={close}
      >
        <Size entry={entry} text={`${plural(counts.queued, 'recipient')} still waiting`} />
        They will not be mailed. What was already sent cannot be recalled. The send counts towards your daily limit
        unless nothing went out at all.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'retry'}
        title="Retry the failed recipients?"
        confirmLabel="Try again"
        pending={retrying.isLoading}
        error={failure}
        onConfirm={() => void retryFailed()}
        onCancel={close}
      >
        <Size entry={entry} text={plural(entry.retryable, 'recipient')} />
        They failed for a reason that may have passed, such as a full mailbox. It is the same send: it takes nothing
        from your daily limit. Addresses that were refused for good or have left are not tried.
      </ConfirmDialog>
    </>
  );
}

function Size({ entry, text }: { entry: HistoryEntry; text: string }) {
  return (
    <Typography component="p" color="textPrimary" sx={{ fontWeight: 600, mb: 1 }}>
      {entry.subject}, {text}
    </Typography>
  );
}
