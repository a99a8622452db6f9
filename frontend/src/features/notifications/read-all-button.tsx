import Button from '@mui/material/Button';
import { client } from '../../api/client';
import { errorMessage } from '../../api/api-error';
import { useToast } from '../../ui/toast/toast';
import { messages, useUnread } from './api';

/** Marks everything as read. */
export function ReadAllButton() {
  const unread = useUnread();
  const [read] = client.useReadNotificationsMutation();
  const toast = useToast();
  const readAll = () =>
    read({ readNotificationsDto: { all: true } })
      .unwrap()
      .catch((error: unknown) =>
        toast({
          title: messages.notRead,
          description: errorMessage(error, messages.tryAgain),
          variant: 'destructive',
        }),
      );
  // The button stays enabled: a disabled one would lose the focus, and the panel around it would get no more key
  // events.
  const hasNone = unread === 0;
  return (
    <Button
      size="small"
      color="inherit"
      aria-disabled={hasNone}
      sx={{ opacity: hasNone ? 0.5 : 1 }}
      onClick={() => {
        if (!hasNone) void readAll();
      }}
    >
      {messages.readAll}
    </Button>
  );
}
