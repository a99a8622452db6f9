import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { SnackbarContent, useSnackbar, type CustomContentProps } from 'notistack';
import type { Ref } from 'react';
import { IconAlert, IconCheck, IconError, IconInfo, IconX } from './icons';

declare module 'notistack' {
  interface VariantOverrides {
    success: { description?: string };
    info: { description?: string };
    warning: { description?: string };
    error: { description?: string };
  }
}

const looks = {
  success: { tone: 'good', icon: IconCheck },
  info: { tone: 'running', icon: IconInfo },
  warning: { tone: 'waiting', icon: IconAlert },
  error: { tone: 'bad', icon: IconError },
} as const;

type ToastCardProps = CustomContentProps & { description?: string; ref?: Ref<HTMLDivElement> };

/** One toast: icon, title, text, dismiss. Errors interrupt, the rest wait their turn. */
export function ToastCard({ id, message, description, variant, style, ref }: ToastCardProps) {
  const { closeSnackbar } = useSnackbar();
  const look = looks[variant as keyof typeof looks] ?? looks.info;
  const Mark = look.icon;
  return (
    <SnackbarContent ref={ref} style={style} role={variant === 'error' ? 'alert' : 'status'}>
      <Box
        data-toast={variant}
        sx={{
          display: 'flex', alignItems: 'flex-start', gap: 1.5, width: { xs: 'calc(100vw - 40px)', sm: 380 }, p: 1.75, pr: 1, borderRadius: 2.5,
          bgcolor: 'surface.raised', color: 'text.primary', border: 1, borderColor: 'surface.line', boxShadow: 'var(--sc-palette-lift)',
        }}
      >
        <Box sx={{ mt: '1px', p: 0.5, borderRadius: 1.5, bgcolor: `tone.${look.tone}.soft`, color: `tone.${look.tone}.main` }}>
          <Mark size={16} aria-hidden />
        </Box>
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere', pt: '2px' }}>
          <Typography sx={{ fontWeight: 600 }}>{message}</Typography>
          {description && (
            <Typography variant="body2" color="textSecondary">
              {description}
            </Typography>
          )}
        </Box>
        <IconButton size="small" aria-label="Dismiss notification" onClick={() => closeSnackbar(id)}>
          <IconX size={16} aria-hidden />
        </IconButton>
      </Box>
    </SnackbarContent>
  );
}
