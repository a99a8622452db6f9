import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState, type BaseSyntheticEvent } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { importPath } from '../../../lib/routes';
import { orAbsent } from '../../../lib/zod-texts';
import { AttestationFields } from '../../../shared/attestation-fields';
import { mono } from '../../../theme/typography';
import { DialogForm } from '../../../ui/dialog/dialog-form';
import { useToast } from '../../../ui/toast/toast';
import { useStartImport } from './api';
import { FilePicker } from './file-picker';
import { messages } from './messages';

interface BulkImportFormProps {
  listId: string;
  onStarted: (jobId: string) => void;
}

/** A form for many contacts: typed lines or a CSV file, and whether the people have already agreed. */
export function BulkImportForm({ listId, onStarted }: BulkImportFormProps) {
  const id = useId();
  const [text, setText] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const [attested, setAttested] = useState(false);
  const [attestation, setAttestation] = useState('');
  const [pending, setPending] = useState(false);
  const [error, setError] = useState<string>();
  const start = useStartImport(listId);
  const toast = useToast();
  const lines = toLines(text);
  const submit = async () => {
    setPending(true);
    setError(undefined);
    try {
      onStarted(await start(file ? { file } : { lines: asTyped(text) }, attested ? orAbsent(attestation) : undefined));
    } catch (fault) {
      const description = errorMessage(fault, messages.fallback);
      setError(`${messages.addManyFailed}: ${description}`);
      toast({ title: messages.addManyFailed, description, variant: 'destructive' });
      setPending(false);
    }
  };
  const ready = (file !== null || lines.length > 0) && (!attested || attestation.trim() !== '');
  return (
    <DialogForm
      roomy
      onSubmit={(event: BaseSyntheticEvent) => {
        event.preventDefault();
        void submit();
      }}
      submitLabel="Add Contacts"
      pending={pending}
      disabled={!ready}
      isDirty={text.trim() !== '' || file !== null || attestation.trim() !== ''}
      error={error}
      note={
        !file &&
        lines.length > 0 && (
          <Typography variant="body2" color="textSecondary" sx={{ mr: 'auto', fontVariantNumeric: 'tabular-nums' }}>
            {plural(lines.length, 'line')}
          </Typography>
        )
      }
    >
      {!file && (
        <TextField
          id={id}
          label="Contacts"
          multiline
          rows={10}
          value={text}
          onChange={(event) => setText(event.target.value)}
          placeholder={'maya@vendor.example\nlee@vendor.example, Lee Carver'}
          helperText="One email per line. 'email, name' is allowed as well."
          slotProps={{ htmlInput: { spellCheck: false, autoCapitalize: 'none', style: { fontFamily: mono } } }}
        />
      )}
      <FilePicker file={file} onPick={setFile} />
      <Typography variant="body2" color="textSecondary">
        Excel files, or a look at who gets in before anything happens:{' '}
        <Link component={RouterLink} to={importPath(listId)}>
          import with a check
        </Link>
      </Typography>
      <AttestationFields isAttested={attested} onAttest={setAttested} text={attestation} onText={setAttestation} />
    </DialogForm>
  );
}

/** The typed lines, trimmed. Blank ones stay, so that line numbers in the report match the field. */
export const asTyped = (text: string): string[] =>
  text
    .trimEnd()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim());

/** The typed lines without blank ones, trimmed. */
export const toLines = (text: string): string[] => asTyped(text).filter(Boolean);
