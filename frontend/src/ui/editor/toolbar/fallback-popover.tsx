import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Popover from '@mui/material/Popover';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { tagLabel } from '../tags/tag-labels';
import { cleanFallback } from '../tags/tag-syntax';

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
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      disableRestoreFocus
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{
        paper: {
          role: 'dialog',
          'aria-label': tagLabel(tag),
          sx: { p: 2, width: 320, maxWidth: 'calc(100vw - 32px)' },
        },
      }}
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'flex-end' }}>
        <TextField
          label="If empty, say"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            // Enter would submit the wizard's form, which opens the next step.
            if (event.key !== 'Enter') return;
            event.preventDefault();
            apply();
          }}
          autoFocus
          slotProps={{ htmlInput: { maxLength: 100 } }}
        />
        <Button variant="contained" onClick={apply}>
          Apply
        </Button>
      </Box>
    </Popover>
  );
}
