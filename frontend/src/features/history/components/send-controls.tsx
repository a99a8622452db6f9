import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { formatCount, plural } from '../../../lib/format';
import { sendAgainPath } from '../../../lib/routes';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { IconCopy, IconPause, IconPlay, IconRetry, IconStop } from '../../../ui/icons';
import { useToast } from '../../../ui/toast';
import { failureText, useRetrySend, useSendControls, type DeliveryCounts, type HistoryEntry, type SendControl } from '../api';
import { messages } from '../messages';

const done = { pause: messages.paused, resume: messages.resumed, cancel: messages.cancelled } as const;
type Question = 'pause' | 'cancel' | 'retry';

/** What can be done with a send now; each that stops or mails anybody asks first, with its size. */
export function SendControls({ entry, counts }: { entry: HistoryEntry; counts: DeliveryCounts }) {
  const [asked, setAsked] = useState<Question | null>(null);
  const [control, controlling] = useSendControls(entry.id);
  const [retry, retrying] = useRetrySend(entry.id);
  const toast = useToast();
  const [failure, setFailure] = useState<string>();
  const close = () => {
    setAsked(null);
    setFailure(undefined);
  };
  const report = (error: unknown) => {
    setFailure(`${messages.controlFailed}: ${failureText(error)}`);
    toast({ title: messages.controlFailed, description: failureText(error), variant: 'destructive' });
  };

  const run = async (what: SendControl) => {
    try {
      await control(what);
      close();
      toast({ title: done[what], description: entry.subject, variant: 'success' });
    } catch (error) {
      report(error);
    }
  };
  const tryAgain = async () => {
    try {
      const n = await retry();
      close();
      toast({ title: messages.retried, description: n > 0 ? plural(n, 'recipient') : messages.noneToRetry, variant: n > 0 ? 'success' : 'info' });
    } catch (error) {
      report(error);
    }
  };

  const runs = entry.status === 'pending' && entry.stopped !== 'cancelled';
  return (
    <>
      <Button component={Link} to={sendAgainPath(entry.id)} variant="outlined" color="inherit" startIcon={<IconCopy size={16} aria-hidden />}>
        Use again
      </Button>
      {entry.retryable > 0 && (
        <Button variant="contained" startIcon={<IconRetry size={16} aria-hidden />} onClick={() => setAsked('retry')}>
          Retry failed ({formatCount(entry.retryable)})
        </Button>
      )}
      {runs && entry.stopped === 'paused' && (
        <Button variant="contained" startIcon={<IconPlay size={16} aria-hidden />} loading={controlling && asked === null} loadingPosition="start" onClick={() => void run('resume')}>
          Resume
        </Button>
      )}
      {runs && entry.stopped !== 'paused' && (
        <Button variant="outlined" color="inherit" startIcon={<IconPause size={16} aria-hidden />} onClick={() => setAsked('pause')}>
          Pause
        </Button>
      )}
      {runs && (
        <Button variant="outlined" color="error" startIcon={<IconStop size={16} aria-hidden />} onClick={() => setAsked('cancel')}>
          Cancel send
        </Button>
      )}
      <ConfirmDialog open={asked === 'pause'} title="Pause this send?" confirmLabel="Pause send" cancelLabel="Keep sending" pending={controlling} error={failure} onConfirm={() => void run('pause')} onCancel={close}>
        <Size entry={entry} text={`${plural(counts.queued, 'recipient')} still waiting`} />
        Nothing more goes out until you resume it. Messages that are being handed over at this moment still arrive.
      </ConfirmDialog>
      <ConfirmDialog open={asked === 'cancel'} title="Cancel this send?" confirmLabel="Cancel send" cancelLabel="Keep it" destructive pending={controlling} error={failure} onConfirm={() => void run('cancel')} onCancel={close}>
        <Size entry={entry} text={`${plural(counts.queued, 'recipient')} still waiting`} />
        They are skipped for good; what already went out stays out. The send counts towards your daily limit unless nothing went out at all.
      </ConfirmDialog>
      <ConfirmDialog open={asked === 'retry'} title="Try the failed again?" confirmLabel="Try again" pending={retrying} error={failure} onConfirm={() => void tryAgain()} onCancel={close}>
        <Size entry={entry} text={plural(entry.retryable, 'recipient')} />
        They failed for a reason that may have passed, such as a full mailbox. It is the same send: it takes nothing from your daily limit. Addresses that were refused for good or have left are not tried.
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
