import Paper from '@mui/material/Paper';
import Popper from '@mui/material/Popper';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { findTags, type TagOption } from '../tags/tag-labels';
import type { SuggestionState } from '../tags/tag-suggestion';
import { TagList, tagOptionId } from './tag-list';

/**
 * The tag menu at the cursor, after `{{`. The focus stays in the text, whose aria-activedescendant names the marked
 * option.
 */
export function SuggestionPopup({
  state,
  tags,
  field,
}: {
  state: SuggestionState;
  tags: readonly TagOption[];
  field: HTMLElement;
}) {
  const id = useId();
  const [marked, setMarked] = useState({ query: state.query, index: 0 });
  const [isDismissed, setDismissed] = useState(false);
  const active = marked.query === state.query ? marked.index : 0;
  const found = findTags(tags, state.query);
  const isOpen = !isDismissed && found.length > 0;
  const onKey = useEffectEvent((event: KeyboardEvent): boolean => {
    if (!isOpen) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setMarked({ query: state.query, index: (active + step + found.length) % found.length });
    else if (event.key === 'Escape') setDismissed(true);
    else if ((event.key === 'Enter' || event.key === 'Tab') && found[active]) state.choose(found[active].tag);
    else return false;
    return true;
  });
  const { listen } = state;
  useEffect(() => {
    listen((event) => onKey(event));
    return () => listen(null);
  }, [listen]);
  const option = isOpen ? tagOptionId(id, active) : null;
  useEffect(() => {
    if (!option) return;
    field.setAttribute('aria-activedescendant', option);
    field.setAttribute('aria-controls', id);
    return () => {
      field.removeAttribute('aria-activedescendant');
      field.removeAttribute('aria-controls');
    };
  }, [field, id, option]);
  const rect = state.rect;
  return (
    <Popper
      open={isOpen && rect !== null}
      anchorEl={rect ? { getBoundingClientRect: () => rect } : null}
      placement="bottom-start"
      sx={{ zIndex: 'tooltip' }}
    >
      <Paper
        variant="outlined"
        sx={{ width: 300, maxWidth: 'calc(100vw - 32px)', boxShadow: 'var(--sc-palette-shadow)' }}
      >
        <TagList id={id} tags={found} active={active} onChoose={state.choose} />
      </Paper>
    </Popper>
  );
}
