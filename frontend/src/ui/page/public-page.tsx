import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { useDocumentTitle } from '../../lib/product';
import type { ToneName } from '../../theme/palette';
import type { Icon } from '../icons';

interface ResultPageProps {
  icon: Icon | ReactElement;
  tone?: ToneName;
  title: string;
  text?: ReactNode;
  busy?: boolean;
  children?: ReactNode;
}

/** A public page that shows a result: icon, heading, text and next steps. */
export function ResultPage({ icon, tone, title, text, busy, children }: ResultPageProps) {
  useDocumentTitle(title);
  const Mark = isValidElement(icon) ? null : icon;
  return (
    <Box aria-busy={busy || undefined}>
      <Box
        sx={{
          display: 'inline-flex',
          p: 1.25,
          mb: 2,
          borderRadius: 2.5,
          bgcolor: tone ? `tone.${tone}.soft` : 'accentSoft',
          color: tone ? `tone.${tone}.main` : 'primary.main',
        }}
      >
        {isValidElement(icon) ? icon : Mark && <Mark size={24} aria-hidden />}
      </Box>
      {/* Screen readers announce this part when it changes; the buttons and lists below are not repeated. */}
      <Box role="status">
        <Typography variant="h1" sx={{ fontSize: '1.5rem', overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        {text && (
          <Typography
            component="div"
            color="textSecondary"
            sx={{ mt: 1, fontSize: '0.9375rem', overflowWrap: 'anywhere' }}
          >
            {text}
          </Typography>
        )}
      </Box>
      {children && <Box sx={{ mt: 3 }}>{children}</Box>}
    </Box>
  );
}

/** The card of a public page. */
export function PlainCard({ children }: { children: ReactNode }) {
  return (
    <Paper variant="outlined" sx={{ p: { xs: 2.5, sm: 4 }, borderRadius: 4 }}>
      {children}
    </Paper>
  );
}

/** The card of a public page that is one form. */
export function FormCard({
  title,
  text,
  footer,
  children,
}: {
  title: string;
  text?: string;
  footer?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(title);
  return (
    <>
      <Paper variant="outlined" sx={{ p: { xs: 2.5, sm: 4 }, borderRadius: 4 }}>
        <Box sx={{ mb: 3 }}>
          <Typography variant="h1" sx={{ fontSize: '1.625rem' }}>
            {title}
          </Typography>
          {text && (
            <Typography color="textSecondary" sx={{ mt: 0.5 }}>
              {text}
            </Typography>
          )}
        </Box>
        {children}
      </Paper>
      {footer && (
        <Typography color="textSecondary" sx={{ mt: 2.5, textAlign: 'center' }}>
          {footer}
        </Typography>
      )}
    </>
  );
}
