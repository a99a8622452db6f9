import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../lib/use-document-title';

/** A signed-out screen that is one form. */
export function FormCard({ title, text, footer, children }: { title: string; text?: string; footer?: ReactNode; children: ReactNode }) {
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
