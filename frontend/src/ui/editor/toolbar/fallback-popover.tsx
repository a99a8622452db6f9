import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { tagLabel } from '../tags/tag-labels';
import { cleanFallback } from '../tags/tag-syntax';
import { AnchoredPopover, applyOnEnter } from './anchored-popover';

interface FallbackPopoverProps {
  tag: string;
  fallback: string | null;
  anchor: Element;
  onApply: (fallback: string | null) => void;
  onClose: () => void;
}

/** Popover for the text that replaces a tag for contacts without a value. */
export function FallbackPopover({ tag, fallback, anchor, onApply, onClose }: FallbackPopoverProps) {
  const [typed, setTyped] = useState(fallback ?? '');
  const apply = () => onApply(cleanFallback(typed));
  return (
    <AnchoredPopover label={tagLabel(tag)} anchor={anchor} width={320} padding={2} onClose={onClose}>
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-end' }}>
        <TextField
          label="If empty, say"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={applyOnEnter(apply)}
          autoFocus
          slotProps={{ htmlInput: { maxLength: 100 } }}
        />
        <Button variant="contained" onClick={apply}>
          Apply
        </Button>
      </Box>
    </AnchoredPopover>
  );
}
