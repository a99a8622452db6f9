import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { IconAlert, IconCheck, IconError, IconInfo } from '../../../ui/icons';
import type { CheckItem } from './use-send-check';

/** What the buttons of rows do. */
export interface RowActions {
  /** Goes to the place that the row is about. */
  show: (item: CheckItem) => void;
  useHttps: () => void;
  addAddress: () => void;
  isLocked: boolean;
}

const marks = {
  error: { Icon: IconError, word: 'To fix', color: 'error.main' },
  warning: { Icon: IconAlert, word: 'Worth a look', color: 'warning.main' },
  hint: { Icon: IconInfo, word: 'Hint', color: 'info.main' },
  passed: { Icon: IconCheck, word: 'Fine', color: 'success.main' },
} as const;

/** One finding: icon and word, its sentence, the words in question, and a button where it can be mended. */
export function CheckRow({ item, actions }: { item: CheckItem; actions: RowActions }) {
  const { Icon, word, color } = marks[item.level];
  const act = actionOf(item, actions);
  return (
    <Box component="li" sx={{ display: 'flex', gap: 1, alignItems: 'flex-start' }}>
      <Box sx={{ color, display: 'flex', mt: 0.25 }}>
        <Icon size={16} role="img" aria-label={word} />
      </Box>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Typography variant="body2">{item.text}</Typography>
        {item.words && item.words.length > 0 && (
          <Typography variant="body2" color="textSecondary">
            {item.words.join(', ')}
          </Typography>
        )}
      </Box>
      {act && (
        <Button size="small" disabled={actions.isLocked} onClick={act.run} sx={{ flexShrink: 0, mt: -0.5 }}>
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
  if (item.fix === 'addFallback') return { label: 'Add fallback', run: () => show(item) };
  return item.where ? { label: 'Show', run: () => show(item) } : null;
}
