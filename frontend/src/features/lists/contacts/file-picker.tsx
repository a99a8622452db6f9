import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useRef, useState } from 'react';
import { FileInput } from '../../../ui/form/file-input';
import { IconFile, IconUpload, IconX } from '../../../ui/icons';

/** Picks a CSV file, which is imported instead of typed lines. */
export function FilePicker({ file, onPick }: { file: File | null; onPick: (file: File | null) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const take = (picked: File) => {
    const isText = /\.(csv|txt|tsv)$/i.test(picked.name) || picked.type.startsWith('text/');
    setRefused(isText ? null : picked.name);
    onPick(isText ? picked : null);
  };
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.5, flexWrap: 'wrap' }}>
      <FileInput ref={input} label="CSV file" accept=".csv,.txt,text/csv,text/plain" onFile={take} />
      {file ? (
        <Box
          sx={{
            display: 'flex',
            alignItems: 'center',
            gap: 1.25,
            flex: 1,
            minWidth: 0,
            p: 1.25,
            borderRadius: 2,
            bgcolor: 'accentSoft',
          }}
        >
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
          <Button
            variant="outlined"
            color="inherit"
            size="small"
            startIcon={<IconUpload size={15} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            Choose a CSV file
          </Button>
          <Typography variant="body2" color="textSecondary">
            with a header row: email, name
          </Typography>
        </>
      )}
      {refused && (
        <Typography role="alert" variant="body2" color="error" sx={{ flexBasis: '100%', overflowWrap: 'anywhere' }}>
          {`${refused} is not a CSV file. In a spreadsheet, save it as CSV first.`}
        </Typography>
      )}
    </Box>
  );
}
