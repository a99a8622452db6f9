import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormHelperText from '@mui/material/FormHelperText';
import MenuItem from '@mui/material/MenuItem';
import Skeleton from '@mui/material/Skeleton';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useDocument, type DocumentState, type StoredFile } from '../../../shared/files/documents';
import { dayChoices, detailsText, linkDays, type LinkDays } from '../../../shared/files/file-texts';
import { IconPlus } from '../../../ui/icons';
import { FilterSelect } from '../../../ui/form/filter-select';
import { StatusBadge } from '../../../ui/status-badge';
import type { ChosenFile, FileWay } from './chosen-files';
import { FileRow } from './file-row';
import { fileMessages } from './messages';

interface ChosenRowProps {
  chosen: ChosenFile;
  isPlaced: boolean;
  /** Why the file cannot be attached; null if it can. */
  attachmentFault: string | null;
  onChange: (chosen: ChosenFile) => void;
  onRemove: () => void;
  /** Inserts a link to the file at the cursor; absent for plain text. */
  onPlace?: (file: StoredFile) => void;
  /** Opens the file chooser for a file that replaces this one. */
  onChooseAnother: () => void;
}

const lost: Partial<Record<DocumentState, string>> = {
  deleted: fileMessages.deleted,
  gone: fileMessages.takenDown,
  refused: fileMessages.infected,
};

/** A document of the email, with the choice of how it is sent. */
export function ChosenRow(props: ChosenRowProps) {
  const { chosen, isPlaced, attachmentFault, onChange, onRemove, onPlace, onChooseAnother } = props;
  const { file, state, isFetching, refetch } = useDocument(chosen.fileId);
  const name = file?.name ?? (state === 'loading' ? 'Loading' : 'File');
  const row = {
    name,
    removeLabel: `Remove ${name}`,
    onRemove,
    details: file && detailsText(file),
    badge: <StateBadge state={state} />,
  };
  if (state === 'loading')
    return (
      <FileRow {...row}>
        <Skeleton width={220} />
      </FileRow>
    );
  if (state === 'failed')
    return (
      <FileRow {...row}>
        <Fault text={fileMessages.failed} label="Retry" pending={isFetching} onPress={() => void refetch()} />
      </FileRow>
    );
  const fault = lost[state];
  if (fault)
    return (
      <FileRow {...row}>
        <Fault text={state === 'refused' ? undefined : fault} label="Choose another" onPress={onChooseAnother} />
      </FileRow>
    );
  return (
    <FileRow {...row}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, alignItems: 'flex-end' }}>
        <WaySelect way={chosen.as} fault={attachmentFault} onChange={(as) => onChange({ ...chosen, as })} />
        {chosen.as === 'link' && (
          <Box sx={{ width: 132 }}>
            <FilterSelect
              label="Available for"
              value={String(chosen.expiresInDays) as `${LinkDays}`}
              choices={dayChoices}
              onChange={(days) => onChange({ ...chosen, expiresInDays: linkDays(days) })}
            />
          </Box>
        )}
        {onPlace && file && (
          <Button
            variant="outlined"
            color="inherit"
            startIcon={<IconPlus size={16} aria-hidden />}
            onClick={() => onPlace(file)}
          >
            {isPlaced ? 'Place again' : 'Place in the text'}
          </Button>
        )}
      </Box>
      {attachmentFault && (
        <FormHelperText error={chosen.as === 'attachment'} sx={{ mx: 0 }}>
          {attachmentFault}
        </FormHelperText>
      )}
    </FileRow>
  );
}

function StateBadge({ state }: { state: DocumentState }) {
  if (state === 'checking') return <StatusBadge status="pending" word="Checking…" />;
  if (state === 'ready') return <StatusBadge status="confirmed" word="Ready" />;
  if (state === 'refused') return <StatusBadge status="failed" word={fileMessages.infected} />;
  return null;
}

function WaySelect({ way, fault, onChange }: { way: FileWay; fault: string | null; onChange: (way: FileWay) => void }) {
  const id = useId();
  return (
    <TextField
      select
      id={id}
      label="Send as"
      value={way}
      error={fault !== null && way === 'attachment'}
      onChange={(event) => onChange(event.target.value as FileWay)}
      sx={{ width: 132 }}
    >
      <MenuItem value="link">Link</MenuItem>
      <MenuItem value="attachment" disabled={fault !== null}>
        Attached
      </MenuItem>
    </TextField>
  );
}

function Fault({
  text,
  label,
  pending,
  onPress,
}: {
  text?: string;
  label: string;
  pending?: boolean;
  onPress: () => void;
}) {
  return (
    <>
      {text && (
        <Typography variant="body2" color="error" sx={{ mb: 1 }}>
          {text}
        </Typography>
      )}
      <Button size="small" variant="outlined" color="inherit" loading={pending} onClick={onPress}>
        {label}
      </Button>
    </>
  );
}
