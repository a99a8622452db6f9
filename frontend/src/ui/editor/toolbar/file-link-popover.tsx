import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { MAX_FILE_LABEL_LENGTH } from '../schema/file-link';
import { AnchoredPopover, applyOnEnter } from './anchored-popover';

interface FileLinkPopoverProps {
  label: string;
  anchor: Element;
  onApply: (label: string) => void;
  onRemove: () => void;
  onClose: () => void;
}

/** Popover for the text of a link to a file. */
export function FileLinkPopover({ label, anchor, onApply, onRemove, onClose }: FileLinkPopoverProps) {
  const [typed, setTyped] = useState(label);
  const apply = () => onApply(typed.trim());
  return (
    <AnchoredPopover label="Link to a file" anchor={anchor} width={340} padding={2} onClose={onClose}>
      <TextField
        label="Text"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={applyOnEnter(apply)}
        helperText="Empty: the name of the file"
        autoFocus
        fullWidth
        slotProps={{ htmlInput: { maxLength: MAX_FILE_LABEL_LENGTH } }}
      />
      <Stack direction="row" sx={{ gap: 1, mt: 1.5, justifyContent: 'space-between' }}>
        <Button color="inherit" onClick={onRemove}>
          Take out of the text
        </Button>
        <Button variant="contained" onClick={apply}>
          Apply
        </Button>
      </Stack>
    </AnchoredPopover>
  );
}
