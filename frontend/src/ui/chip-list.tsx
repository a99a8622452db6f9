import Box from '@mui/material/Box';
import { Tag } from './tag';

/** Names as chips, in a list that wraps. */
export function ChipList({ items, label }: { items: { id: string; text: string }[]; label: string }) {
  return (
    <Box component="ul" aria-label={label} sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.75, m: 0, p: 0, listStyle: 'none' }}>
      {items.map((item) => (
        <Box component="li" key={item.id} sx={{ maxWidth: '100%', overflow: 'hidden', '& > span': { maxWidth: '100%', height: 'auto', minHeight: 24, whiteSpace: 'normal', overflowWrap: 'anywhere', color: 'text.primary' } }}>
          <Tag>{item.text}</Tag>
        </Box>
      ))}
    </Box>
  );
}
