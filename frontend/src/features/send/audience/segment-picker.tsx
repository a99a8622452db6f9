import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Typography from '@mui/material/Typography';
import { IconUsers } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { useSegments } from '../api';
import { goneChoices } from './gone-choices';
import { messages } from '../messages';

interface SegmentPickerProps {
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
}

/** Checkboxes for the segments. */
export function SegmentPicker({ chosen, onChange }: SegmentPickerProps) {
  const query = useSegments();
  const { data } = query;
  if (query.error && !data) return <QueryError query={query} text={messages.segmentsFailed} />;
  if (!data) {
    return (
      <LoadingRegion label="Loading segments">
        <RowSkeletons count={3} height={48} />
      </LoadingRegion>
    );
  }
  const gone = goneChoices(chosen, data, 'segment');
  const rows = [...gone, ...data.rows];
  if (rows.length === 0) {
    return (
      <EmptyState
        dense
        icon={IconUsers}
        title="No segments yet"
        text="A segment is a saved filter: it is always up to date."
      />
    );
  }
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="subtitle2" sx={{ p: 0, mb: 0.75 }}>
        Recipient segments
      </Typography>
      <Box sx={{ border: 1, borderColor: 'controlBorder', borderRadius: 2, overflow: 'hidden auto', maxHeight: 340 }}>
        {rows.map(({ id, name }, index) => (
          <FormControlLabel
            key={id}
            control={<Checkbox checked={chosen.includes(id)} onChange={() => toggle(id)} />}
            label={name}
            sx={{
              display: 'flex',
              m: 0,
              pl: 0.75,
              pr: 2,
              minHeight: 48,
              overflowWrap: 'anywhere',
              borderTop: index === 0 ? 0 : 1,
              borderColor: 'divider',
            }}
          />
        ))}
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
        Reaches those of them who confirmed on any of your lists.
      </Typography>
    </Box>
  );
}
