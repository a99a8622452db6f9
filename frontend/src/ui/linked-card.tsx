import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { OpeningLink } from './page/back-link';

interface LinkedCardProps {
  title: string;
  /** URL that a click on the card opens. Without a URL, the card has only its menu. */
  to?: string;
  onPress?: () => void;
  text: ReactNode;
  /** Badges and times at the bottom of the card. */
  foot: ReactNode;
  menu: ReactNode;
}

/** A card in a grid of cards: a press anywhere on it follows the link of its title; other actions are in the menu. */
export function LinkedCard({ title, to, onPress, text, foot, menu }: LinkedCardProps) {
  const cover = {
    fontWeight: 'inherit',
    color: 'text.primary',
    textAlign: 'start',
    '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 3 },
    '&:focus-visible': { outline: 'none' },
    '&:focus-visible::after': { outline: '2px solid', outlineColor: 'primary.main' },
  } as const;
  return (
    <Paper
      variant="outlined"
      component="article"
      sx={{
        position: 'relative',
        p: 2.25,
        display: 'flex',
        flexDirection: 'column',
        minHeight: 140,
        transition: 'border-color 120ms',
        '&:hover': { borderColor: 'controlBorder' },
      }}
    >
      <Box sx={{ display: 'flex', alignItems: 'flex-start', gap: 1 }}>
        <Typography component="h2" variant="h3" sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          {to ? (
            <Link component={OpeningLink} to={to} color="inherit" underline="none" sx={cover}>
              {title}
            </Link>
          ) : (
            <Link
              component="button"
              type="button"
              onClick={onPress}
              color="inherit"
              underline="none"
              sx={{ ...cover, font: 'inherit' }}
            >
              {title}
            </Link>
          )}
        </Typography>
        <Box sx={{ position: 'relative', zIndex: 1, mt: '-4px', mr: '-6px' }}>{menu}</Box>
      </Box>
      <Typography
        color="textSecondary"
        component="div"
        sx={{
          mt: 0.5,
          display: '-webkit-box',
          WebkitLineClamp: 2,
          WebkitBoxOrient: 'vertical',
          overflow: 'hidden',
          overflowWrap: 'anywhere',
        }}
      >
        {text}
      </Typography>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, mt: 'auto', pt: 2, flexWrap: 'wrap' }}>{foot}</Box>
    </Paper>
  );
}

export const cardGrid = {
  display: 'grid',
  gap: 2,
  gridTemplateColumns: 'repeat(auto-fill, minmax(min(300px, 100%), 1fr))',
} as const;
