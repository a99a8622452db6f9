import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { IconChevronRight } from '../../../ui/icons';
import { isCap, isPlain, MAX_PER_COMPANY, type Audience } from './audience';
import { useSegments, useSendableLists } from '../api';
import { goneChoices } from './gone-choices';

interface LeaveOutProps {
  audience: Audience;
  onChange: (audience: Audience) => void;
}

const DEFAULT_CAP = 2;

/** Who is left out of the email, and how many people at one company get it. */
export function LeaveOut({ audience, onChange }: LeaveOutProps) {
  const { segmentIds: _chosen, ...rest } = audience;
  const [isOpen, setOpen] = useState(!isPlain({ ...rest, segmentIds: [] }));
  const id = useId();
  return (
    <Box>
      <Button
        color="inherit"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        startIcon={
          <Box
            component={IconChevronRight}
            size={16}
            aria-hidden
            sx={{ transform: isOpen ? 'rotate(90deg)' : undefined, transition: 'transform 120ms' }}
          />
        }
      >
        Leave out
      </Button>
      {isOpen && (
        <Box id={id} sx={{ display: 'grid', gap: 1.5, mt: 1, pl: { sm: 1 } }}>
          <ListsLeftOut
            chosen={audience.excludeListIds}
            onChange={(ids) => onChange({ ...audience, excludeListIds: ids })}
          />
          <SegmentsLeftOut
            chosen={audience.excludeSegmentIds}
            onChange={(ids) => onChange({ ...audience, excludeSegmentIds: ids })}
          />
          <Autocomplete
            multiple
            freeSolo
            autoSelect
            options={[]}
            value={audience.excludeAddresses}
            onChange={(_event, values) =>
              onChange({
                ...audience,
                excludeAddresses: values.flatMap((value) => value.split(/[\s,;]+/)).filter(Boolean),
              })
            }
            renderInput={(params) => (
              <TextField
                {...params}
                label="Companies or addresses"
                placeholder="client.example"
                helperText="Left out of this email only. Press Enter after each."
              />
            )}
          />
          <CompanyCap cap={audience.perCompany} onChange={(perCompany) => onChange({ ...audience, perCompany })} />
        </Box>
      )}
    </Box>
  );
}

interface ChoiceProps {
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

function ListsLeftOut({ chosen, onChange }: ChoiceProps) {
  const { data } = useSendableLists();
  const lists = data?.rows.filter(({ isDefault }) => !isDefault) ?? [];
  const gone = goneChoices(chosen, data, 'list');
  return <NamedChoice label="Lists" options={[...lists, ...gone]} chosen={chosen} onChange={onChange} />;
}

function SegmentsLeftOut({ chosen, onChange }: ChoiceProps) {
  const { data } = useSegments();
  const options = [...(data?.rows ?? []), ...goneChoices(chosen, data, 'segment')];
  return options.length > 0 ? (
    <NamedChoice label="Segments" options={options} chosen={chosen} onChange={onChange} />
  ) : null;
}

function NamedChoice({
  label,
  options,
  chosen,
  onChange,
}: ChoiceProps & { label: string; options: readonly { id: string; name: string }[] }) {
  return (
    <Autocomplete
      multiple
      disableCloseOnSelect
      options={options}
      value={options.filter(({ id }) => chosen.includes(id))}
      getOptionLabel={({ name }) => name}
      getOptionKey={({ id }) => id}
      onChange={(_event, values) =>
        onChange([
          // Choices that are not on the loaded page stay chosen.
          ...chosen.filter((id) => !options.some((option) => option.id === id)),
          ...values.map(({ id }) => id),
        ])
      }
      renderInput={(params) => (
        <TextField {...params} label={label} helperText="Their people are left out, wherever else they are." />
      )}
    />
  );
}

function CompanyCap({ cap, onChange }: { cap: number | null; onChange: (cap: number | null) => void }) {
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1.25, flexWrap: 'wrap' }}>
      <FormControlLabel
        control={<Switch checked={cap !== null} onChange={(_event, isOn) => onChange(isOn ? DEFAULT_CAP : null)} />}
        label="At most"
        sx={{ mr: 0 }}
        slotProps={{ typography: { 'aria-hidden': undefined } }}
      />
      <TextField
        type="number"
        value={cap ?? DEFAULT_CAP}
        disabled={cap === null}
        error={cap !== null && !isCap(cap)}
        onChange={({ target }) => onChange(Math.trunc(Number(target.value)))}
        slotProps={{ htmlInput: { 'aria-label': 'Most people per company', min: 1, max: MAX_PER_COMPANY } }}
        sx={{ width: 88 }}
      />
      <Typography component="span">per company</Typography>
      {cap !== null && (
        <Typography variant="body2" color={isCap(cap) ? 'textSecondary' : 'error'} role="status">
          {isCap(cap) ? 'People emailed least recently come first.' : `A number from 1 to ${MAX_PER_COMPANY}`}
        </Typography>
      )}
    </Box>
  );
}
