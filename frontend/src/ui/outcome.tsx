import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { useDocumentTitle } from '../lib/use-document-title';
import type { ToneName } from '../theme/palette';
import type { Icon } from './icons';

interface OutcomeProps {
  icon: Icon | ReactElement;
  tone?: ToneName;
  title: string;
  text?: ReactNode;
  busy?: boolean;
  children?: ReactNode;
}

/** A single-purpose screen that says how it went: mark, h1, a sentence, what next. */
export function Outcome({ icon, tone, title, text, busy, children }: OutcomeProps) {
  useDocumentTitle(title);
  const Mark = isValidElement(icon) ? null : icon;
  return (
    <Box aria-busy={busy || undefined}>
      <Box
        sx={{
          display: 'inline-flex', p: 1.25, mb: 2, borderRadius: 2.5,
          bgcolor: tone ? `tone.${tone}.soft` : 'accentSoft', color: tone ? `tone.${tone}.main` : 'primary.main',
        }}
      >
        {isValidElement(icon) ? icon : Mark && <Mark size={24} aria-hidden />}
      </Box>
      {/* What is said is heard when it changes; the buttons and lists below it are not read out again. */}
      <Box role="status">
        <Typography variant="h1" sx={{ fontSize: '1.5rem' }}>
          {title}
        </Typography>
        {text && (
          <Typography component="div" color="textSecondary" sx={{ mt: 1, fontSize: '0.9375rem', overflowWrap: 'anywhere' }}>
            {text}
          </Typography>
        )}
      </Box>
      {children && <Box sx={{ mt: 3 }}>{children}</Box>}
    </Box>
  );
}
