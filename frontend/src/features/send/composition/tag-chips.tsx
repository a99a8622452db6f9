import Box from '@mui/material/Box';
import Chip from '@mui/material/Chip';
import { Fragment } from 'react';
import { tagLabel } from '../../../ui/editor/tags/tag-labels';
import type { WrittenTag } from '../../../ui/editor/tags/tag-syntax';

interface TagChipsProps {
  value: string;
  tags: readonly WrittenTag[];
  /** False while the field is typed in. The chips are then hidden, but stay in the tab order and appear on focus. */
  isVisible: boolean;
  onEdit: (tag: WrittenTag, anchor: HTMLElement) => void;
  onRemove: (tag: WrittenTag) => void;
}

/** Covers the text of a field with the same text, in which tags are chips. Clicks next to the chips reach the field. */
export function TagChips({ value, tags, isVisible, onEdit, onRemove }: TagChipsProps) {
  if (tags.length === 0) return null;
  return (
    <Box
      role="group"
      aria-label="Tags in this line"
      sx={{
        position: 'absolute',
        inset: 0,
        right: 44,
        px: 1.75,
        display: 'flex',
        alignItems: 'center',
        overflow: 'hidden',
        whiteSpace: 'pre',
        color: 'text.primary',
        pointerEvents: 'none',
        opacity: isVisible ? 1 : 0,
      }}
    >
      {tags.map((tag, index) => (
        <Fragment key={tag.from}>
          <span aria-hidden>{value.slice(tags[index - 1]?.to ?? 0, tag.from)}</span>
          <Chip
            size="small"
            label={tag.fallback ? `${tagLabel(tag.tag)} · ${tag.fallback}` : tagLabel(tag.tag)}
            onClick={(event) => onEdit(tag, event.currentTarget)}
            onDelete={() => onRemove(tag)}
            sx={{ flexShrink: 0, ...(isVisible && { pointerEvents: 'auto' }) }}
          />
        </Fragment>
      ))}
      <Box component="span" aria-hidden sx={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {value.slice(tags.at(-1)?.to ?? 0)}
      </Box>
    </Box>
  );
}
