import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { plural } from '../../../lib/format';
import { ChoiceField } from '../../../ui/form/choice-field';
import { Pager } from '../../../ui/grid/pager';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { QueryError } from '../../../ui/query-error';
import { useAttestedImports, useDecideImport, type AttestedImport } from '../api';
import { messages } from '../messages';
import { ActDialog, type Act } from './act-dialog';
import { AttestedCard } from './attested-card';

const states = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'declined', label: 'Declined' },
] as const;

/** Imports whose owners say that these people agreed already: an admin believes it or not, batch by batch. */
export function AttestedImports() {
  const [act, setAct] = useState<Act | null>(null);
  const grid = useServerGrid({ name: 'imports', pageSize: 5, filters: { state: states.map(({ value }) => value) } });
  const { state } = grid.filters;
  const query = useAttestedImports(grid.args, state);
  const { data, error } = query;
  const decide = useDecideImport();
  const ask = (batch: AttestedImport, decision: 'confirmed' | 'declined') => {
    const size = `${plural(batch.total, 'contact')} of ${batch.owner.email} on "${batch.listName}"`;
    setAct({
      title: decision === 'confirmed' ? 'Confirm import' : 'Decline import',
      text: decision === 'confirmed' ? `Confirm ${size}? All of them get sends from now on; the first one says who added them and how to leave.` : `Decline ${size}? Each gets a confirmation mail and stays Pending until it says yes.`,
      confirmLabel: decision === 'confirmed' ? 'Confirm all' : 'Decline',
      destructive: decision === 'declined',
      run: (reason) => decide(batch.id, decision, reason),
      done: decision === 'confirmed' ? messages.importConfirmed : messages.importDeclined,
      doneText: size,
      failed: messages.importFailed,
    });
  };
  return (
    <Paper variant="outlined" component="section" aria-label="Attested imports" sx={{ p: 2 }}>
      <Box sx={{ display: 'flex', gap: 2, alignItems: 'center', flexWrap: 'wrap' }}>
        <Box sx={{ flex: '1 1 240px' }}>
          <Typography variant="h3" component="h2">
            Attested imports
          </Typography>
          <Typography variant="body2" color="textSecondary">
            Their owners say where and how these people agreed.
          </Typography>
        </Box>
        <Box sx={{ width: 170 }}>
          <ChoiceField label="State of imports" hideLabel value={state} choices={states} onChange={(value) => grid.setFilter('state', value)} />
        </Box>
      </Box>
      {error && (
        <Box sx={{ mt: 1.5 }}>
          <QueryError query={query} text={messages.loadFailed} />
        </Box>
      )}
      {!data && !error && <Skeleton variant="rounded" height={90} sx={{ mt: 2 }} />}
      {data?.rows.length === 0 && (
        <Typography role="status" color="textSecondary" sx={{ mt: 1.5 }}>
          {state === 'waiting' ? 'No import waits for a decision.' : `No import was ${state}.`}
        </Typography>
      )}
      {data?.rows.map((batch) => <AttestedCard key={batch.id} batch={batch} onDecide={ask} />)}
      {data && <Pager label="attested imports" grid={grid} count={data.rows.length} total={data.total} next={data.next} prev={data.prev} loading={query.isFetching} fixedSize />}
      {act && <ActDialog act={act} onClose={() => setAct(null)} />}
    </Paper>
  );
}
