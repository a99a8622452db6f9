import Box from '@mui/material/Box';
import { messages } from '../messages';
import { clockTime } from '../../../lib/format';
import type { SaveState } from './save-state';

function problemText(state: SaveState): string | null {
  if (state.name === 'failed') return messages.notSaved;
  if (state.name === 'refused') return `Not saved: ${state.why}`;
  return state.name === 'conflict' ? messages.conflictStatus : null;
}

function statusText(state: SaveState): string {
  if (state.name === 'waiting' || state.name === 'saving') return 'Saving…';
  return state.name === 'saved' ? `Saved ${clockTime(state.at)}` : '';
}

/** The save state of the draft. Screen readers announce failures and conflicts only. */
export function SaveStatus({ state }: { state: SaveState }) {
  const fault = problemText(state);
  return (
    <Box component="span" sx={{ fontSize: '0.8125rem', color: fault ? 'warning.main' : 'text.secondary' }}>
      {fault === null && statusText(state)}
      <span role="status">{fault}</span>
    </Box>
  );
}
