import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { IconFile, IconUpload, IconX } from '../../../ui/icons';

/** A CSV file instead of typed lines. */
export function FilePicker({ file, onPick }: { file: File | null; onPick: (file: File | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        hidden
        aria-label="CSV file"
        onChange={(event) => {
          onPick(event.target.files?.[0] ?? null);
          event.target.value = '';
        }}
      />
      {file ? (
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, flex: 1, minWidth: 0, p: 1.25, borderRadius: 2, bgcolor: 'accentSoft' }}>
          <IconFile size={18} aria-hidden />
          <Typography noWrap sx={{ flex: 1, minWidth: 0 }}>
            {file.name}
          </Typography>
          <IconButton size="small" aria-label={`Remove ${file.name}`} onClick={() => onPick(null)}>
            <IconX size={16} aria-hidden />
          </IconButton>
        </Box>
      ) : (
        <>
          <Button variant="outlined" color="inherit" size="small" startIcon={<IconUpload size={15} aria-hidden />} onClick={() => input.current?.click()}>
            Choose a CSV file
          </Button>
          <Typography variant="body2" color="textSecondary">
            with a header row: email, name
          </Typography>
        </>
      )}
    </Box>
  );
}
