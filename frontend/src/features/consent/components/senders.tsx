import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { SectionError } from '../../../ui/section-error';
import { Waiting } from '../../../ui/skeletons';
import { SubmitButton } from '../../../ui/submit-button';
import { failureText, useLeaveSender, useSenders, useUndoUnsubscribe, type Sender } from '../api';
import { messages } from '../messages';

/** Who has the address on a list: leave one of them, and back. */
export function Senders({ token }: { token: string }) {
  const { data, error, isFetching, refetch } = useSenders(token);
  if (error && !data) return <SectionError message={messages.sendersFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Waiting label="Loading senders">
        {[0, 1].map((row) => (
          <Skeleton key={row} height={56} />
        ))}
      </Waiting>
    );
  }
  if (data.senders.length === 0) return <Typography color="textSecondary">No sender has your address on a list.</Typography>;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'surface.line', borderRadius: 2 }}>
      {data.senders.map((sender, index) => (
        <SenderRow key={sender.id} token={token} sender={sender} first={index === 0} />
      ))}
    </Box>
  );
}

function SenderRow({ token, sender, first }: { token: string; sender: Sender; first: boolean }) {
  const [leave, leaving] = useLeaveSender();
  const [undo, undoing] = useUndoUnsubscribe();
  const error = sender.left ? undoing.error : leaving.error;
  const act = () => (sender.left ? undo(token, sender.id) : leave(token, sender.id)).catch(() => undefined);
  return (
    <Box component="li" sx={{ p: 1.5, borderTop: first ? 0 : 1, borderColor: 'surface.line' }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box sx={{ flex: '1 1 11rem', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography sx={{ fontWeight: 580 }}>{sender.agencyName ? `${sender.name}, ${sender.agencyName}` : sender.name}</Typography>
          <Typography variant="body2" color="textSecondary">
            {sender.left ? 'You have left' : sender.lists.join(', ')}
          </Typography>
        </Box>
        <SubmitButton
          type="button"
          size="small"
          variant="outlined"
          color="inherit"
          pending={leaving.isLoading || undoing.isLoading}
          aria-label={`${sender.left ? 'Undo leaving' : 'Leave'} ${sender.name}`}
          onClick={() => void act()}
        >
          {sender.left ? 'Undo' : 'Leave'}
        </SubmitButton>
      </Box>
      {error && (
        <Alert severity="error" sx={{ mt: 1 }}>
          {failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}
        </Alert>
      )}
    </Box>
  );
}
