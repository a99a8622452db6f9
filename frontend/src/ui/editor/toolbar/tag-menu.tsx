import TextField from '@mui/material/TextField';
import { useId, useState, type KeyboardEvent } from 'react';
import { findTags, firstFallback, type TagOption } from '../tags/tag-labels';
import { TagList, tagOptionId } from './tag-list';
import { AnchoredPopover } from './anchored-popover';

interface TagMenuProps {
  anchor: HTMLElement;
  tags: readonly TagOption[];
  onChoose: (attrs: { tag: string; fallback: string | null }) => void;
  onClose: () => void;
}

/** 'Insert tag': a menu with a search, arrow keys and Enter. */
export function TagMenu({ anchor, tags, onChoose, onClose }: TagMenuProps) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const found = findTags(tags, typed);
  const choose = (tag: string) => onChoose({ tag, fallback: firstFallback(tag) });
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setActive((active + step + found.length) % found.length);
    else if (event.key === 'Enter' && found[active]) choose(found[active].tag);
    else return;
    event.preventDefault();
  };
  return (
    <AnchoredPopover label="Insert tag" anchor={anchor} width={300} onClose={onClose}>
      <TextField
        type="text"
        placeholder="Search tags"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        autoFocus
        sx={{ p: 1, pb: 0 }}
        slotProps={{
          htmlInput: {
            role: 'combobox',
            'aria-label': 'Search tags',
            'aria-expanded': true,
            'aria-autocomplete': 'list',
            'aria-controls': `${id}-list`,
            'aria-activedescendant': found[active] ? tagOptionId(`${id}-list`, active) : undefined,
          },
        }}
      />
      <TagList id={`${id}-list`} tags={found} active={active} onChoose={choose} />
    </AnchoredPopover>
  );
}
