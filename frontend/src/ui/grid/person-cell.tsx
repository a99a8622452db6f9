import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface PersonCellProps {
  name?: string | null;
  email?: string;
  /** Under the text on a narrow screen, such as badges. */
  below?: ReactNode;
  /** Caption lines, on a narrow screen the values of hidden columns. */
  lines?: readonly (string | null | undefined)[];
}

/** A grid cell with a name, an address or both, and further lines. */
export function PersonCell({ name, email, below, lines = [] }: PersonCellProps) {
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
      {name && (
        <Typography variant="body2" noWrap sx={{ fontWeight: 560 }} title={name}>
          {name}
        </Typography>
      )}
      {email && (
        <Typography
          variant="mono"
          noWrap
          sx={{
            display: 'block',
            fontSize: name ? '0.75rem' : '0.8125rem',
            color: name ? 'text.secondary' : undefined,
          }}
          title={email}
        >
          {email}
        </Typography>
      )}
      {lines
        .filter((line) => line)
        .map((line) => (
          <Typography
            key={line}
            variant="caption"
            color="textSecondary"
            noWrap
            sx={{ display: 'block', lineHeight: 1.45 }}
            title={line ?? undefined}
          >
            {line}
          </Typography>
        ))}
      {below && (
        <Box
          sx={{ display: 'flex', gap: 1, alignItems: 'center', mt: 0.5, color: 'text.secondary', fontSize: '0.75rem' }}
        >
          {below}
        </Box>
      )}
    </Box>
  );
}
