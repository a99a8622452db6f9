import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useNavigate } from 'react-router-dom';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { sendDraftPath } from '../../lib/routes';
import { Tooltip } from '../../ui/tooltip';
import { IconCopy } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages } from './api';

/** Creates a draft with the content of a send. */
export function DuplicateButton({ id, subject = '', asIcon }: { id: string; subject?: string; asIcon?: boolean }) {
  const [create, { isLoading: pending }] = client.useCreateDraftMutation();
  const navigate = useNavigate();
  const toast = useToast();
  const press = async () => {
    try {
      const draft = await create({ createDraftDto: { fromSendId: id } }).unwrap();
      void navigate(sendDraftPath(draft.id));
    } catch (error) {
      toast({
        title: messages.controlFailed,
        description: errorMessage(error, messages.controlFailedText),
        variant: 'destructive',
      });
    }
  };
  if (asIcon)
    return (
      <Tooltip title="Duplicate">
        <IconButton aria-label={`Duplicate ${subject}`} disabled={pending} onClick={() => void press()}>
          <IconCopy size={17} aria-hidden />
        </IconButton>
      </Tooltip>
    );
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={<IconCopy size={16} aria-hidden />}
      loading={pending}
      loadingPosition="start"
      onClick={() => void press()}
    >
      Duplicate
    </Button>
  );
}
