import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Collapse from '@mui/material/Collapse';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState, type FormEvent } from 'react';
import { errorMessage } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { orAbsent } from '../../../lib/zod-texts';
import { scrollsWithin } from '../../../ui/form/dialog-form';
import { SubmitButton } from '../../../ui/submit-button';
import { mono } from '../../../theme/typography';
import { useToast } from '../../../ui/toast';
import { useStartImport } from '../api';
import { messages } from '../messages';
import { FilePicker } from './file-picker';
import { asTyped, toLines } from './lines';

interface BulkImportFormProps {
  listId: string;
  /** What was typed; the dialog keeps it while the other tab is looked at. */
  text: string;
  onText: (text: string) => void;
  onClose: () => void;
  onStarted: (jobId: string) => void;
}

/** Many contacts: typed lines or a CSV file, and whether they agreed already. */
export function BulkImportForm({ listId, text, onText, onClose, onStarted }: BulkImportFormProps) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [attested, setAttested] = useState(false);
  const [attestation, setAttestation] = useState('');
  const [pending, setPending] = useState(false);
  const start = useStartImport(listId);
  const toast = useToast();
  const lines = toLines(text);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setPending(true);
    try {
      onStarted(await start(file ? { file } : { lines: asTyped(text) }, attested ? orAbsent(attestation) : undefined));
    } catch (error) {
      toast({ title: messages.addManyFailed, description: errorMessage(error, messages.fallback), variant: 'destructive' });
      setPending(false);
    }
  };
  const ready = (file !== null || lines.length > 0) && (!attested || attestation.trim() !== '');
  return (
    <Box component="form" onSubmit={(event) => void submit(event)} sx={scrollsWithin}>
      <DialogContent sx={{ pt: 2.5 }}>
        <Stack sx={{ gap: 2 }}>
          {!file && (
            <TextField
              id={id}
              label="Contacts"
              multiline
              rows={10}
              value={text}
              onChange={(event) => onText(event.target.value)}
              placeholder={'maya@vendor.example\nlee@vendor.example, Lee Carver'}
              helperText="One email per line. 'email, name' is allowed as well."
              slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none', style: { fontFamily: mono } } }}
              autoFocus
            />
          )}
          <FilePicker file={file} onPick={setFile} />
          <div>
            <FormControlLabel
              control={<Checkbox checked={attested} onChange={(event) => setAttested(event.target.checked)} />}
              label="These people already agreed to hear from me"
            />
            <Collapse in={attested} unmountOnExit>
              <TextField
                id={`${id}-attestation`}
                label="Where and how did they agree?"
                multiline
                minRows={2}
                value={attestation}
                onChange={(event) => setAttestation(event.target.value)}
                helperText="An admin reads this and confirms the whole import, or has everyone asked by email instead. No confirmation emails go out until then."
                sx={{ mt: 1 }}
              />
            </Collapse>
          </div>
        </Stack>
      </DialogContent>
      <DialogActions>
        {!file && lines.length > 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto', fontVariantNumeric: 'tabular-nums' }}>
            {plural(lines.length, 'line')}
          </Typography>
        )}
        <Button variant="outlined" color="inherit" onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton pending={pending} disabled={!ready}>
          Add Contacts
        </SubmitButton>
      </DialogActions>
    </Box>
  );
}
