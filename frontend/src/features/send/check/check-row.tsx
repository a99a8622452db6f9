import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { IconAlert, IconCheck, IconError, IconInfo } from '../../../ui/icons';
import { isOfFiles } from './finding-place';
import type { CheckItem } from './use-send-check';

/** Actions of the buttons in rows. */
export interface RowActions {
  /** Shows the part of the message that the finding is about. */
  show: (item: CheckItem) => void;
  useHttps: () => void;
  addAddress: () => void;
  isLocked: boolean;
}

const marks = {
  error: { Icon: IconError, word: 'To fix', tone: 'error' },
  warning: { Icon: IconAlert, word: 'Worth a look', tone: 'warning' },
  hint: { Icon: IconInfo, word: 'Hint', tone: 'info' },
  passed: { Icon: IconCheck, word: 'Fine', tone: 'success' },
} as const;

/** One finding: icon and level, its sentence, the words it is about, and a button if the screen can fix it. */
export function CheckRow({ item, actions }: { item: CheckItem; actions: RowActions }) {
  const id = useId();
  const { Icon, word, tone } = marks[item.level];
  const act = actionOf(item, actions);
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr auto', sm: '7.5rem 1fr auto' },
        columnGap: 1.5,
        rowGap: 0.25,
        alignItems: 'start',
      }}
    >
      <Typography
        variant="body2"
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.75,
          color: `tone.${tone}.main`,
          fontWeight: 580,
          gridColumn: { xs: '1 / -1', sm: 'auto' },
        }}
      >
        <Icon size={16} aria-hidden />
        {word}
      </Typography>
      <Box sx={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body2" id={id}>
          {item.text}
        </Typography>
        {item.words && item.words.length > 0 && (
          <Typography variant="body2" color="textSecondary">
            {item.words.join(', ')}
          </Typography>
        )}
      </Box>
      {act && (
        <Button
          size="small"
          variant="outlined"
          color="inherit"
          aria-describedby={id}
          disabled={actions.isLocked}
          onClick={act.run}
        >
          {act.label}
        </Button>
      )}
    </Box>
  );
}

function actionOf(item: CheckItem, { show, useHttps, addAddress }: RowActions) {
  if (item.level === 'passed') return null;
  if (item.code === 'sender_address') return { label: 'Add address', run: addAddress };
  if (item.fix === 'useHttps') return { label: 'Use https', run: useHttps };
  if (!item.where && !isOfFiles(item)) return null;
  return { label: item.fix === 'addFallback' ? 'Add fallback' : 'Show', run: () => show(item) };
}
