import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { formatCount } from '../../../lib/format';
import { isDialogOpen, isTyping } from '../../../lib/keyboard';
import { Tooltip } from '../../../ui/tooltip';
import { IconChevronLeft, IconChevronRight } from '../../../ui/icons';
import { SearchField } from '../../../ui/form/search-field';
import type { RecipientSteps } from './use-recipient-steps';

const SAMPLE_NOTE = 'Network members are not shown. Two made-up people stand in: one with all fields, one with none.';

/**
 * Chooses the recipient whose copy is shown: by buttons, by Alt with the arrow keys, by a search, or from the
 * recipients without a value for a tag.
 */
export function RecipientStepper({ steps }: { steps: RecipientSteps }) {
  const { recipient, isMadeUp, index, total, search, onlyEmpty, hasTags, canStep, step, find } = steps;
  const press = useEffectEvent((event: KeyboardEvent, way: 'next' | 'previous') => {
    if (isDialogOpen() || isTyping(event)) return;
    // Prevents the browser's Back and Forward on these keys.
    event.preventDefault();
    step(way);
  });
  useEffect(
    () =>
      tinykeys(window, {
        'Alt+ArrowLeft': (event) => press(event, 'previous'),
        'Alt+ArrowRight': (event) => press(event, 'next'),
      }),
    [],
  );
  const isFiltered = search !== '' || onlyEmpty;
  const place = `Recipient ${formatCount(index)}${isFiltered || !total ? '' : ` of ${formatCount(total)}`}`;
  const words = recipient
    ? [place, recipient.name, recipient.email, recipient.listName].filter(Boolean).join(' · ')
    : isFiltered && !isMadeUp
      ? 'No recipient fits.'
      : isMadeUp
        ? SAMPLE_NOTE
        : place;
  return (
    <Box sx={{ display: 'grid', gap: 1 }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
        {(['previous', 'next'] as const).map((way) => {
          const Mark = way === 'next' ? IconChevronRight : IconChevronLeft;
          const label = way === 'next' ? 'Next recipient' : 'Previous recipient';
          return (
            <Tooltip key={way} title={`${label} (Alt+${way === 'next' ? '→' : '←'})`}>
              <span>
                <IconButton size="small" aria-label={label} disabled={!canStep(way)} onClick={() => step(way)}>
                  <Mark size={18} aria-hidden />
                </IconButton>
              </span>
            </Tooltip>
          );
        })}
        <Typography role="status" sx={{ minWidth: 0, overflowWrap: 'anywhere', ml: 0.5 }}>
          {words}
        </Typography>
      </Box>
      {!isMadeUp && (
        <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'center' }}>
          <Box sx={{ flex: '0 1 300px', minWidth: 200 }}>
            <SearchField label="Search recipients..." value={search} onSearch={(text) => find({ search: text })} />
          </Box>
          {hasTags && (
            <FormControlLabel
              control={<Checkbox checked={onlyEmpty} onChange={(_event, checked) => find({ onlyEmpty: checked })} />}
              label={
                steps.emptyCount === null
                  ? 'Only those with an empty tag'
                  : `Only those with an empty tag (${formatCount(steps.emptyCount)})`
              }
            />
          )}
        </Box>
      )}
    </Box>
  );
}
