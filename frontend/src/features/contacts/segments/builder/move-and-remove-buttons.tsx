import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import { IconArrowDown, IconArrowUp, IconX } from '../../../../ui/icons';
import { Tooltip } from '../../../../ui/tooltip';
import type { BuilderProps } from './builder-props';
import { moveRule, removeFrom } from './tree';

/** Buttons that move a rule or group by one position, or remove it. */
export function MoveAndRemoveButtons({
  tree,
  id,
  name,
  onChange,
}: Pick<BuilderProps, 'tree' | 'onChange'> & { id: string; name: string }) {
  const [up, down] = [moveRule(tree, id, 'up'), moveRule(tree, id, 'down')];
  return (
    <Stack direction="row" sx={{ justifyContent: 'flex-end' }}>
      <Tooltip title="Move up">
        <span>
          <IconButton
            data-focus={`${id}:up`}
            aria-label={`Move ${name} up`}
            disabled={!up}
            onClick={() => up && onChange(up, `${id}:up`)}
          >
            <IconArrowUp size={17} aria-hidden />
          </IconButton>
        </span>
      </Tooltip>
      <Tooltip title="Move down">
        <span>
          <IconButton
            data-focus={`${id}:down`}
            aria-label={`Move ${name} down`}
            disabled={!down}
            onClick={() => down && onChange(down, `${id}:down`)}
          >
            <IconArrowDown size={17} aria-hidden />
          </IconButton>
        </span>
      </Tooltip>
      <Tooltip title="Remove">
        <IconButton aria-label={`Remove ${name}`} onClick={() => onChange(removeFrom(tree, id))}>
          <IconX size={17} aria-hidden />
        </IconButton>
      </Tooltip>
    </Stack>
  );
}
