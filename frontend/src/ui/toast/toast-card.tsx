import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { keyframes } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import { SnackbarContent, useSnackbar, type CustomContentProps } from 'notistack';
import { useEffect, useEffectEvent, useState, type Ref } from 'react';
import { ON_TOUCH } from '../../theme/touch';
import { SubmitButton } from '../form/submit-button';
import { IconAlert, IconCheck, IconError, IconInfo, IconX } from '../icons';
import { UNDO_MS } from './toast-types';

/** A type alias, because notistack does not accept an interface here. */
type Extras = {
  description?: string;
  onUndo?: () => Promise<void>;
};

declare module 'notistack' {
  interface VariantOverrides {
    success: Extras;
    info: Extras;
    warning: Extras;
    error: Extras;
  }
}

const looks = {
  success: { tone: 'success', icon: IconCheck },
  info: { tone: 'info', icon: IconInfo },
  warning: { tone: 'warning', icon: IconAlert },
  error: { tone: 'error', icon: IconError },
} as const;

type ToastCardProps = CustomContentProps & Extras & { ref?: Ref<HTMLDivElement> };

/** One toast. Screen readers announce errors at once, others when idle. */
export function ToastCard({ id, message, description, onUndo, variant, style, ref }: ToastCardProps) {
  const { closeSnackbar } = useSnackbar();
  const look = looks[variant as keyof typeof looks] ?? looks.info;
  const Mark = look.icon;
  return (
    <SnackbarContent ref={ref} style={style} role={variant === 'error' ? 'alert' : 'status'}>
      <Box
        data-toast={variant}
        sx={{
          display: 'flex',
          alignItems: 'flex-start',
          gap: 1.5,
          width: { xs: 'calc(100vw - 40px)', sm: 380 },
          p: 1.75,
          pr: 1,
          borderRadius: 2.5,
          bgcolor: 'surface.raised',
          color: 'text.primary',
          border: 1,
          borderColor: 'divider',
          boxShadow: 'var(--sc-palette-shadow)',
        }}
      >
        <Box
          sx={{
            mt: '1px',
            p: 0.5,
            borderRadius: 1.5,
            bgcolor: `tone.${look.tone}.soft`,
            color: `tone.${look.tone}.main`,
          }}
        >
          <Mark size={16} aria-hidden />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', pt: '2px' }}>
          <Typography sx={{ fontWeight: 600 }}>{message}</Typography>
          {description && (
            <Typography variant="body2" color="textSecondary">
              {description}
            </Typography>
          )}
          {onUndo && <UndoButton onUndo={onUndo} onClose={() => closeSnackbar(id)} />}
        </Box>
        <IconButton
          size="small"
          aria-label="Dismiss notification"
          onClick={() => closeSnackbar(id)}
          sx={{ [ON_TOUCH]: { my: -1 } }}
        >
          <IconX size={16} aria-hidden />
        </IconButton>
      </Box>
    </SnackbarContent>
  );
}

const shrink = keyframes`from { transform: scaleX(1); } to { transform: scaleX(0); }`;

/** The undo button of a toast with the remaining time. Closes the toast when the time is over. */
function UndoButton({ onUndo, onClose }: { onUndo: () => Promise<void>; onClose: () => void }) {
  const [deadline] = useState(() => Date.now() + UNDO_MS);
  const [seconds, setSeconds] = useState(UNDO_MS / 1000);
  const [pending, setPending] = useState(false);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (pending) return;
    const timer = setInterval(() => {
      const left = Math.ceil((deadline - Date.now()) / 1000);
      if (left <= 0) close();
      else setSeconds(left);
    }, 250);
    return () => clearInterval(timer);
  }, [deadline, pending]);
  const undo = async () => {
    setPending(true);
    try {
      await onUndo();
    } finally {
      onClose();
    }
  };
  return (
    <Box sx={{ mt: 1, display: 'flex', alignItems: 'center', gap: 1.25 }}>
      <SubmitButton
        type="button"
        size="small"
        variant="outlined"
        color="inherit"
        pending={pending}
        onClick={() => void undo()}
      >
        Undo
      </SubmitButton>
      {/* Hidden from screen readers, which would read every second of a live region. */}
      <Typography
        variant="caption"
        color="textSecondary"
        aria-hidden
        sx={{ fontVariantNumeric: 'tabular-nums', minWidth: '4.5ch' }}
      >
        {seconds} s
      </Typography>
      <Box aria-hidden sx={{ flex: 1, height: 3, mr: 1, borderRadius: 1, overflow: 'hidden', bgcolor: 'divider' }}>
        <Box
          sx={{
            height: '100%',
            bgcolor: 'primary.main',
            transformOrigin: 'left',
            animation: pending ? 'none' : `${shrink} ${UNDO_MS}ms linear forwards`,
            '@media (prefers-reduced-motion: reduce)': {
              animation: 'none',
              transform: `scaleX(${(seconds * 1000) / UNDO_MS})`,
            },
          }}
        />
      </Box>
    </Box>
  );
}
