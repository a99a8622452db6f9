import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { formatCount } from '../../../lib/format';
import type { TagOption } from '../tags/tag-labels';

export const tagOptionId = (listId: string, index: number) => `${listId}-${index}`;

/** '886 of 1,040 have it'. */
export const coverageText = ({ filled, total }: TagOption) =>
  filled === undefined || total === undefined ? null : `${formatCount(filled)} of ${formatCount(total)} have it`;

/** Merge tags to choose from, in groups. The field above the list handles the keys. */
export function TagList({
  id,
  tags,
  active,
  onChoose,
}: {
  id: string;
  tags: readonly TagOption[];
  active: number;
  onChoose: (tag: string) => void;
}) {
  const headings = useId();
  const groups = [...new Set(tags.map(({ group }) => group))];
  return (
    <Box id={id} role="listbox" aria-label="Merge tags" sx={{ maxHeight: 320, overflowY: 'auto', p: 0.5 }}>
      {groups.map((group, place) => (
        <Box key={group} role="group" aria-labelledby={`${headings}-${place}`}>
          <Typography
            id={`${headings}-${place}`}
            variant="caption"
            color="textSecondary"
            sx={{ display: 'block', px: 1, pt: 1, pb: 0.25, fontWeight: 600 }}
          >
            {group}
          </Typography>
          {tags.map((option, index) =>
            option.group === group ? (
              <Option
                key={option.tag}
                id={tagOptionId(id, index)}
                option={option}
                isActive={index === active}
                onChoose={() => onChoose(option.tag)}
              />
            ) : null,
          )}
        </Box>
      ))}
      {tags.length === 0 && (
        <Typography color="textSecondary" sx={{ px: 1, py: 1.5 }}>
          No tag has that name.
        </Typography>
      )}
    </Box>
  );
}

function Option({
  id,
  option,
  isActive,
  onChoose,
}: {
  id: string;
  option: TagOption;
  isActive: boolean;
  onChoose: () => void;
}) {
  const note = [option.example, coverageText(option)].filter(Boolean).join(', ');
  return (
    <Box
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      ref={(element: HTMLElement | null) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      // Keeps the focus in the field to which the list belongs.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
      onKeyDown={(event) => event.key === 'Enter' && onChoose()}
      sx={{
        px: 1,
        py: 0.75,
        borderRadius: 1.5,
        cursor: 'pointer',
        bgcolor: isActive ? 'accentSoft' : 'transparent',
        '&:hover': { bgcolor: 'surface.raised' },
      }}
    >
      <Typography sx={{ fontWeight: 540 }}>{option.label}</Typography>
      {note && (
        <Typography variant="caption" color="textSecondary" sx={{ display: 'block', overflowWrap: 'anywhere' }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
