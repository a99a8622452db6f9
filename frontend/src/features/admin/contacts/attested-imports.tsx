import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { plural } from '../../../lib/format';
import { GridFilter } from '../../../ui/grid/filter-bar';
import { Pager } from '../../../ui/grid/pager';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { QueryError } from '../../../ui/loading/section-error';
import type { AttestedImport } from '../api';
import { ConfirmActionDialog, type AdminAction } from '../confirm-action-dialog';
import { messages } from '../messages';
import { AttestedImportCard } from './attested-import-card';

const states = [
  { value: 'waiting', label: 'Waiting' },
  { value: 'confirmed', label: 'Confirmed' },
  { value: 'declined', label: 'Declined' },
] as const;

/** Imports whose owners state that the people agreed already. An admin confirms or declines each import as a whole. */
export function AttestedImports() {
  const [action, setAction] = useState<AdminAction | null>(null);
  const grid = useServerGrid({ name: 'imports', pageSize: 5, filters: { state: states.map(({ value }) => value) } });
  const { state } = grid.filters;
  const query = client.useListAttestedImportsQuery({ ...grid.args, state });
  const { data, error } = query;
  const [confirmImport] = client.useConfirmImportMutation();
  const [declineImport] = client.useDeclineImportMutation();
  const ask = (batch: AttestedImport, decision: 'confirmed' | 'declined') => {
    const size = `${plural(batch.total, 'contact')} of ${batch.owner.email} on "${batch.listName}"`;
    setAction({
      title: decision === 'confirmed' ? 'Confirm import' : 'Decline import',
      text:
        decision === 'confirmed'
          ? `Confirm ${size}? All of them get sends from now on; the first one says who added them and how to leave.`
          : `Decline ${size}? Each gets a confirmation mail and stays Pending until it is confirmed.`,
      confirmLabel: decision === 'confirmed' ? 'Confirm all' : 'Decline',
      destructive: decision === 'declined',
      run: (reason) =>
        (decision === 'confirmed' ? confirmImport : declineImport)({ jobId: batch.id, reasonDto: { reason } }).unwrap(),
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
          <GridFilter grid={grid} name="state" label="State of imports" choices={states} />
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
      {data?.rows.map((batch) => (
        <AttestedImportCard key={batch.id} batch={batch} onDecide={ask} />
      ))}
      {data && <Pager label="attested imports" grid={grid} page={data} loading={query.isFetching} fixedSize />}
      {action && <ConfirmActionDialog action={action} onClose={() => setAction(null)} />}
    </Paper>
  );
}
