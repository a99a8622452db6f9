import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { SubmitButton } from '../../ui/form/submit-button';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import {
  failureText,
  messages,
  useLeaveSender,
  useUndoUnsubscribe,
  type Sender,
  type Senders as SendersAnswer,
} from './api';

/** The senders who have the address on a list. The person can unsubscribe from each of them, and undo that. */
export function Senders({ token, answer }: { token: string; answer: SendersAnswer }) {
  const { data, error, isFetching, refetch } = answer;
  if (error && !data)
    return <SectionError message={messages.sendersFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <LoadingRegion label="Loading senders">
        {[0, 1].map((row) => (
          <Skeleton key={row} height={56} />
        ))}
      </LoadingRegion>
    );
  }
  if (data.senders.length === 0)
    return <Typography color="textSecondary">No sender has your address on a list.</Typography>;
  return (
    <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', border: 1, borderColor: 'divider', borderRadius: 2 }}>
      {data.senders.map((sender, index) => (
        <SenderRow key={sender.id} token={token} sender={sender} first={index === 0} onChanged={refetch} />
      ))}
    </Box>
  );
}

function SenderRow({
  token,
  sender,
  first,
  onChanged,
}: {
  token: string;
  sender: Sender;
  first: boolean;
  onChanged: () => Promise<void>;
}) {
  const [leave, leaving] = useLeaveSender();
  const [undo, undoing] = useUndoUnsubscribe();
  const error = sender.left ? undoing.error : leaving.error;
  const toggle = () =>
    (sender.left ? undo(token, sender.id) : leave(token, sender.id)).then(onChanged, () => undefined);
  return (
    <Box component="li" sx={{ p: 1.5, borderTop: first ? 0 : 1, borderColor: 'divider' }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box sx={{ flex: '1 1 11rem', minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography sx={{ fontWeight: 580 }}>
            {sender.agencyName ? `${sender.name}, ${sender.agencyName}` : sender.name}
          </Typography>
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
          onClick={() => void toggle()}
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
