import Alert from '@mui/material/Alert';
import FormControl from '@mui/material/FormControl';
import FormControlLabel from '@mui/material/FormControlLabel';
import FormLabel from '@mui/material/FormLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useId, useState, type BaseSyntheticEvent } from 'react';
import { errorMessage } from '../../../api/api-error';
import { DialogForm } from '../../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { useToast } from '../../../ui/toast/toast';
import { useCurrentUser } from '../api';
import type { Draft } from '../draft';
import type { PreviewRecipient } from '../preview/preview-recipient';
import { useSendTest, useTesters } from './api';
import { LastTests } from './last-tests';
import { testMessages } from './messages';
import { TestAddresses } from './test-addresses';

export interface TestSendDialogProps {
  draft: Draft;
  /** The recipient whose copy the preview shows. */
  recipient: PreviewRecipient | null;
  onClose: () => void;
}

const MADE_UP = 'made-up';

/** Sends the draft to the user's own address and to testers, and shows the state of the last tests. */
export function TestSendDialog({ draft, recipient, onClose }: TestSendDialogProps) {
  const { email, isVerified } = useCurrentUser();
  const testers = useTesters();
  const { sendTest, isLoading } = useSendTest();
  // Testers are not ticked by default.
  const [on, setOn] = useState<readonly string[]>([email]);
  const [as, setAs] = useState<string>(recipient ? 'shown' : MADE_UP);
  const [typed, setTyped] = useState('');
  const [error, setError] = useState<string>();
  const toast = useToast();
  const id = useId();
  const confirmed = testers.data?.filter(({ state }) => state === 'confirmed') ?? [];
  const chosen = [email, ...confirmed.map(({ address }) => address)].filter((address) => on.includes(address));

  const submit = async (event: BaseSyntheticEvent) => {
    event.preventDefault();
    setError(undefined);
    try {
      const { message } = await sendTest(draft, chosen, as === 'shown' && recipient ? recipient.contactId : null);
      toast({ title: message, variant: 'success' });
    } catch (fault) {
      setError(errorMessage(fault, testMessages.failed));
    }
  };
  return (
    <GuardedDialog title={testMessages.title} maxWidth="sm" fillsPhone onClose={onClose}>
      <DialogForm
        onSubmit={(event) => void submit(event)}
        submitLabel="Send test"
        closeLabel="Close"
        pending={isLoading}
        isDirty={typed.trim() !== ''}
        error={error}
        disabled={!isVerified || chosen.length === 0}
      >
        {!isVerified && <Alert severity="warning">{testMessages.unverified}</Alert>}
        <TestAddresses
          own={email}
          query={testers}
          on={on}
          onToggle={(address, isOn) =>
            setOn((others) => (isOn ? [...others, address] : others.filter((one) => one !== address)))
          }
          typed={typed}
          onType={setTyped}
          disabled={isLoading || !isVerified}
        />
        <FormControl disabled={isLoading}>
          <FormLabel id={id}>As recipient</FormLabel>
          <RadioGroup aria-labelledby={id} value={as} onChange={(_event, value) => setAs(value)}>
            {recipient && (
              <FormControlLabel
                value="shown"
                control={<Radio size="small" />}
                label={[recipient.name, recipient.email].filter(Boolean).join(' · ')}
                sx={{ overflowWrap: 'anywhere' }}
              />
            )}
            <FormControlLabel value={MADE_UP} control={<Radio size="small" />} label="Made-up" />
          </RadioGroup>
        </FormControl>
        <LastTests />
      </DialogForm>
    </GuardedDialog>
  );
}
