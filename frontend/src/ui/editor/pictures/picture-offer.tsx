import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { useState } from 'react';

interface PictureOfferProps {
  count: number;
  /** @throws Error with a message to show */
  onAdd: () => Promise<void>;
  onLeave: () => void;
}

/** Asks whether to upload the pictures of a paste. */
export function PictureOffer({ count, onAdd, onLeave }: PictureOfferProps) {
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const add = async () => {
    setPending(true);
    setFault(null);
    try {
      await onAdd();
    } catch (error) {
      setFault((error as Error).message);
    }
    setPending(false);
  };
  return (
    <Alert
      severity={fault ? 'error' : 'info'}
      sx={{ mt: 1 }}
      action={
        <>
          <Button size="small" color="inherit" loading={isPending} onClick={() => void add()}>
            Add
          </Button>
          <Button size="small" color="inherit" disabled={isPending} onClick={onLeave} sx={{ whiteSpace: 'nowrap' }}>
            Leave out
          </Button>
        </>
      }
    >
      {fault ?? (count === 1 ? 'Add the picture you pasted?' : `Add the ${count} pictures you pasted?`)}
    </Alert>
  );
}
