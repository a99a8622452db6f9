import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { routes, segmentPath } from '../../../lib/routes';
import { NameDialog } from '../../../ui/dialog/name-dialog';
import { BackLink } from '../../../ui/page/back-link';
import { Page, PageHeader } from '../../../ui/page/page';
import { Builder } from './builder/builder';
import { CountPanel } from './count-panel';
import { DeleteSegmentDialog } from './delete-segment-dialog';
import type { StoredFilter, Terms } from './filter';
import { messages } from './messages';
import { SegmentActions } from './segment-actions';
import { describeFilter } from './filter-description';
import { useGuardedNavigate } from './use-guarded-navigate';
import { useFilterCount } from './use-filter-count';
import { type SegmentDraft, useSegmentDraft } from './use-segment-draft';

interface SegmentEditorProps {
  /** Undefined for a new segment. */
  segment?: SegmentDto;
  /** The first rules of a new segment; one empty rule if undefined. */
  filter?: StoredFilter;
  terms: Terms;
}

const MAX_NAME_LENGTH = 100;

/** Name, rules and count of a segment. */
export function SegmentEditor({ segment, filter, terms }: SegmentEditorProps) {
  const [opened, setOpened] = useState<'copy' | 'delete'>();
  const leave = useGuardedNavigate(opened === undefined);
  const draft = useSegmentDraft(segment, filter, terms);
  const { name, isChanged, failure } = draft;
  const counting = useFilterCount(draft.isComplete ? draft.filter : null);
  const save = async () => {
    const id = await draft.save();
    if (id && !segment) leave(segmentPath(id), { replace: true });
  };
  const copy = () => {
    draft.setTried(true);
    if (draft.isComplete) setOpened('copy');
  };
  return (
    <Page>
      <PageHeader
        title={segment ? segment.name : 'New Segment'}
        lead={<BackLink to={routes.segments.path} label="Back to segments" />}
        action={
          <SegmentActions
            segment={segment}
            isChanged={isChanged}
            isSaving={draft.isSaving}
            onSave={() => void save()}
            onCopy={copy}
            onDelete={() => setOpened('delete')}
          />
        }
      />
      {segment?.broken && !isChanged && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {segment.broken}
        </Alert>
      )}
      {failure && (
        <Alert severity="error" sx={{ mb: 2 }} role="alert">
          {failure}
        </Alert>
      )}
      <Box
        sx={{
          display: 'grid',
          gap: 2.5,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 1fr) 300px' },
        }}
      >
        <SegmentForm draft={draft} terms={terms} />
        <Box sx={{ position: { lg: 'sticky' }, top: { lg: 24 } }}>
          <CountPanel counting={counting} />
        </Box>
      </Box>
      {opened === 'copy' && (
        <NameDialog
          title="Save as new"
          submitLabel="Save"
          name={name.trim() ? `${name.trim()} copy` : ''}
          onClose={() => setOpened(undefined)}
          onSubmit={async (given) => leave(segmentPath(await draft.saveCopy(given)))}
        />
      )}
      {opened === 'delete' && segment && (
        <DeleteSegmentDialog
          segment={segment}
          onClose={() => setOpened(undefined)}
          onDeleted={() => {
            draft.forget();
            leave(routes.segments.path, { replace: true });
          }}
        />
      )}
    </Page>
  );
}

/** The name, the rules in words, and the rules. */
function SegmentForm({ draft, terms }: { draft: SegmentDraft; terms: Terms }) {
  const { name, tree, isTried } = draft;
  const isNameMissing = isTried && !name.trim();
  return (
    <Paper variant="outlined" sx={{ p: { xs: 1.5, sm: 2.25 }, minWidth: 0 }}>
      <TextField
        label="Name"
        fullWidth
        value={name}
        error={isNameMissing}
        helperText={isNameMissing ? messages.nameMissing : ' '}
        onChange={(event) => draft.setName(event.target.value)}
        slotProps={{ htmlInput: { maxLength: MAX_NAME_LENGTH, autoComplete: 'off' } }}
      />
      <Typography role="note" aria-label="In words" color="textSecondary" sx={{ mb: 2.5, overflowWrap: 'anywhere' }}>
        {describeFilter(draft.filter, terms)}
      </Typography>
      <Builder tree={tree} terms={terms} showFaults={isTried} onChange={draft.setTree} />
      {isTried && !draft.isComplete && (
        <Typography role="alert" color="error" sx={{ mt: 1.5 }}>
          {messages.incomplete}
        </Typography>
      )}
    </Paper>
  );
}
