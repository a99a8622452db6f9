import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Box from '@mui/material/Box';
import { useId, useState, type FormEvent } from 'react';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { LazyTimeFields } from '../../shared/schedule/lazy-time-fields';
import type { LocalTime } from '../../shared/schedule/local-time';
import { SubmitButton } from '../../ui/form/submit-button';
import { DialogError } from '../../ui/dialog/dialog-error';
import { useToast } from '../../ui/toast/toast';
import { messages, type ScheduledItem } from './api';

/** Moves a scheduled email to another time; a blocked one is scheduled again. */
export function ChangeTimeDialog({ item, onClose }: { item: ScheduledItem; onClose: () => void }) {
  const [change, { isLoading }] = client.useChangeScheduledMutation();
  const { timeZone: ownZone } = useCurrentUser();
  // A time in the past is not offered again.
  const [time, setTime] = useState<LocalTime>(() => ({
    at: new Date(item.dueAt).getTime() > Date.now() ? item.at : '',
    timeZone: item.timeZone,
    later: item.later,
  }));
  const [isAsked, setAsked] = useState(false);
  const [error, setError] = useState<string>();
  const toast = useToast();
  const id = useId();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setAsked(true);
    if (time.at === '') return;
    try {
      const { message } = await change({
        id: item.id,
        changeScheduledDto: { ...time, version: item.version },
      }).unwrap();
      toast({ title: messages.scheduled, description: message, variant: 'success' });
      onClose();
    } catch (fault) {
      setError(errorMessage(fault, messages.failedText));
    }
  };
  return (
    <Dialog open onClose={isLoading ? undefined : onClose} maxWidth="sm" fullWidth aria-labelledby={`${id}-title`}>
      <DialogTitle id={`${id}-title`}>Change time</DialogTitle>
      <Box component="form" noValidate onSubmit={(event: FormEvent) => void submit(event)}>
        <DialogContent>
          <LazyTimeFields
            value={time}
            onChange={(next) => {
              setTime(next);
              setError(undefined);
            }}
            ownZone={ownZone}
            isAsked={isAsked}
            disabled={isLoading}
          />
          <DialogError error={error} />
        </DialogContent>
        <DialogActions>
          <Button variant="outlined" color="inherit" onClick={onClose} disabled={isLoading}>
            Cancel
          </Button>
          <SubmitButton pending={isLoading}>Change Time</SubmitButton>
        </DialogActions>
      </Box>
    </Dialog>
  );
}
