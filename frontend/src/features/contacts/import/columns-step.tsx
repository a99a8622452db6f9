import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { client } from '../../../api/client';
import { FieldDialog } from '../../../shared/field-dialog';
import { FilterSelect } from '../../../ui/form/filter-select';
import { SubmitButton } from '../../../ui/form/submit-button';
import { messages, type Import, type ImportColumn } from './api';
import { ColumnRow } from './column-row';
import { useRefusal } from './failed/refusal';
import { ImportOptions } from './import-options';
import { fieldTarget, withTarget } from './targets';
import { useChange } from './use-change';

interface ColumnsStepProps {
  found: Import;
  onChecking: () => void;
  /** Returns to the existing check. */
  onBack?: () => void;
}

/** Step where each column of the file gets its target, and what happens to the imported people is chosen. */
export function ColumnsStep({ found, onChecking, onBack }: ColumnsStepProps) {
  const [columns, setColumns] = useState<readonly ImportColumn[]>(found.columns);
  const [newFieldFor, setNewFieldFor] = useState<number | null>(null);
  const { data: fields = [] } = client.useListContactFieldsQuery();
  const [check, { isLoading }] = client.useCheckImportMutation();
  const { save, isSaving } = useChange(found.id);
  const { refusal, attempt } = useRefusal(messages.checkFailed);
  const choose = (column: number, target: ImportColumn['target']) => {
    const before = columns.map((one) => one.target);
    const mapping = withTarget(before, column, target);
    setColumns(
      columns.map((one, index) =>
        mapping[index] === before[index] ? one : { ...one, target: mapping[index]!, from: 'chosen' },
      ),
    );
    void save({ mapping });
  };
  const start = async () => {
    if (await attempt(() => check({ id: found.id }).unwrap())) onChecking();
  };
  const hasEmail = columns.some(({ target }) => target === 'email');
  return (
    <>
      <Box
        component="form"
        onSubmit={(event) => {
          event.preventDefault();
          void start();
        }}
      >
        <Stack direction="row" sx={{ gap: 2, flexWrap: 'wrap', alignItems: 'center', mb: 2 }}>
          {found.sheets.length > 1 && (
            <Box sx={{ minWidth: 200 }}>
              <FilterSelect
                label="Sheet"
                value={String(found.sheet ?? found.sheets[0]!.index)}
                choices={found.sheets.map(({ index, name }) => ({ value: String(index), label: name }))}
                onChange={(sheet) => void save({ sheet: Number(sheet) })}
              />
            </Box>
          )}
          <FormControlLabel
            control={
              <Checkbox
                checked={found.hasHeader}
                onChange={(event) => void save({ hasHeader: event.target.checked })}
              />
            }
            label="First row is a header"
          />
        </Stack>
        {!hasEmail && (
          <Alert severity="warning" sx={{ mb: 2 }}>
            {messages.noEmail}
          </Alert>
        )}
        <Paper component="ul" variant="outlined" aria-label="Columns" sx={{ m: 0, p: 0, mb: 3, listStyle: 'none' }}>
          {columns.map((column, place) => (
            <ColumnRow
              key={column.index}
              column={column}
              fields={fields}
              isFirst={place === 0}
              onTarget={(target) => choose(place, target)}
              onNewField={() => setNewFieldFor(place)}
            />
          ))}
        </Paper>
        <ImportOptions found={found} save={save} />
        <Box sx={{ mt: 3 }}>{refusal}</Box>
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          <SubmitButton pending={isLoading} disabled={!hasEmail || isSaving}>
            Check
          </SubmitButton>
          {onBack && (
            <Button color="inherit" onClick={onBack}>
              Back to the check
            </Button>
          )}
        </Stack>
      </Box>
      {/* Outside the form, because the dialog's submit event would bubble into it. */}
      {newFieldFor !== null && (
        <FieldDialog
          label={found.hasHeader ? (columns[newFieldFor]?.header ?? '') : ''}
          onClose={() => setNewFieldFor(null)}
          onAdded={({ key }) => choose(newFieldFor, fieldTarget(key))}
        />
      )}
    </>
  );
}
