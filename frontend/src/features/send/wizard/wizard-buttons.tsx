import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { tolerantPress } from '../../../ui/form/tolerant-press';
import { SubmitButton } from '../../../ui/form/submit-button';
import { IconArrowLeft, IconArrowRight, IconClock, IconMail, IconSend } from '../../../ui/icons';

interface WizardButtonsProps {
  /** Null on the first step. */
  onPrevious: (() => void) | null;
  isLocked: boolean;
  /** Null on the last step. */
  next: { isReady: boolean } | null;
  send: {
    isNow: boolean;
    isPending: boolean;
    isOver: boolean;
    /** What has to be corrected before the email can be sent. */
    reasons: readonly string[];
  };
  test: { isLoading: boolean; open: () => void };
}

const REASONS_ID = 'send-to-fix';

/** The buttons below a step. On the last step also the reasons that prevent sending. */
export function WizardButtons({ onPrevious, isLocked, next, send, test }: WizardButtonsProps) {
  const isHeld = next === null && send.reasons.length > 0;
  const Mark = send.isNow ? IconSend : IconClock;
  return (
    <>
      <Stack direction="row" sx={{ justifyContent: 'space-between', flexWrap: 'wrap', gap: 1.5, mt: 4 }}>
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconArrowLeft size={16} aria-hidden />}
          disabled={onPrevious === null || isLocked}
          onClick={onPrevious ?? undefined}
        >
          Previous
        </Button>
        {next ? (
          <Button
            type="submit"
            variant="contained"
            endIcon={<IconArrowRight size={16} aria-hidden />}
            disabled={!next.isReady}
            onMouseDown={tolerantPress}
          >
            Next
          </Button>
        ) : (
          // If the row is too narrow for all buttons, these stay together at its end.
          <Stack direction="row" sx={{ flexWrap: 'wrap', justifyContent: 'flex-end', gap: 1.5, ml: 'auto' }}>
            <Button
              variant="outlined"
              color="inherit"
              aria-busy={test.isLoading || undefined}
              startIcon={
                test.isLoading ? <CircularProgress size={16} color="inherit" /> : <IconMail size={16} aria-hidden />
              }
              disabled={isLocked}
              onClick={test.open}
            >
              Send a test
            </Button>
            <SubmitButton
              pending={send.isPending}
              disabled={send.isOver || isHeld}
              aria-describedby={isHeld ? REASONS_ID : undefined}
              startIcon={<Mark size={16} aria-hidden />}
              loadingPosition="start"
              onMouseDown={tolerantPress}
            >
              {send.isNow ? 'Send Email' : 'Schedule Email'}
            </SubmitButton>
          </Stack>
        )}
      </Stack>
      {isHeld && (
        <Typography id={REASONS_ID} variant="body2" color="error" sx={{ mt: 1, textAlign: 'end' }}>
          {send.reasons.join(' ')}
        </Typography>
      )}
    </>
  );
}
