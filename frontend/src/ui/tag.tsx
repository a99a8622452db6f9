import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { Icon } from './icons';

/** Shape of a tag and of a status badge. */
export const TAG_STYLE = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.625,
  height: 24,
  px: 1,
  borderRadius: 1.5,
  whiteSpace: 'nowrap',
  fontSize: '0.75rem',
} as const;

/** A small label, such as a count, a type or a plan. */
export function Tag({ children, icon: Mark, accent }: { children: ReactNode; icon?: Icon; accent?: boolean }) {
  return (
    <Box
      component="span"
      sx={{
        ...TAG_STYLE,
        fontWeight: 560,
        fontVariantNumeric: 'tabular-nums',
        bgcolor: accent ? 'accentSoft' : 'surface.raised',
        color: accent ? 'primary.main' : 'text.secondary',
      }}
    >
      {Mark && <Mark size={13} aria-hidden />}
      {children}
    </Box>
  );
}

/** A list of tags that wraps. */
export function ChipList({ items, label }: { items: { id: string; text: string }[]; label: string }) {
  return (
    <Box
      component="ul"
      aria-label={label}
      sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, m: 0, p: 0, listStyle: 'none' }}
    >
      {items.map((item) => (
        <Box
          component="li"
          key={item.id}
          sx={{
            maxWidth: '100%',
            overflow: 'hidden',
            '& > span': {
              maxWidth: '100%',
              height: 'auto',
              minHeight: 24,
              whiteSpace: 'normal',
              overflowWrap: 'anywhere',
              color: 'text.primary',
            },
          }}
        >
          <Tag>{item.text}</Tag>
        </Box>
      ))}
    </Box>
  );
}
