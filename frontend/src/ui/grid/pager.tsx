import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useRef, useState, type MouseEvent } from 'react';
import type { Paged } from '../../api/paged';
import { formatCount, formatTotal } from '../../lib/format';
import { IconChevronLeft, IconChevronRight } from '../icons';
import { VisuallyHidden } from '../visually-hidden';
import { PAGE_SIZES, type ServerGrid } from './use-server-grid';

interface PagerProps {
  label: string;
  grid: ServerGrid;
  /** The shown page; undefined while it loads. */
  page?: Paged<unknown>;
  loading: boolean;
  /** Whether the page size is fixed, as for cards. */
  fixedSize?: boolean;
}

/** '1–25 of 1,240' or '1–25 of 10,000+', with the buttons for the previous and the next page. */
export function Pager({ label, grid, page, loading, fixedSize }: PagerProps) {
  const { total = 0, isTotalCapped, next = null, prev = null } = page ?? {};
  const count = page?.rows.length ?? 0;
  useNoEmptyPage(grid, count === 0 && !loading);
  const notePressed = useFocusOppositeButton(grid.page, loading);
  const goTo = (event: MouseEvent<HTMLButtonElement>, page: number, cursor: string | null) => {
    notePressed(event.currentTarget);
    grid.goToPage(page, cursor);
  };
  const first = grid.page * grid.pageSize + 1;
  const range = count
    ? `${formatCount(first)}–${formatCount(first + count - 1)} of ${formatTotal({ total, isTotalCapped })}`
    : '';
  const announced = useAnnouncement(grid, loading ? '' : range);
  const isOnly = grid.page === 0 && !next;
  if (isOnly && (fixedSize || total <= (PAGE_SIZES[0] ?? 0))) return null;
  return (
    <Stack
      component="nav"
      aria-label={`Pages of ${label}`}
      direction="row"
      sx={{
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: 1.5,
        px: 1.5,
        py: 0.75,
        ...(!fixedSize && { borderTop: 1, borderColor: 'divider' }),
      }}
    >
      {!fixedSize && (
        <Select<number>
          variant="standard"
          disableUnderline
          value={grid.pageSize}
          onChange={(event) => grid.setPageSize(event.target.value)}
          SelectDisplayProps={{ 'aria-label': 'Rows on a page' }}
          sx={{
            fontSize: '0.8125rem',
            color: 'text.secondary',
            mr: 'auto',
            '& [role=combobox]:focus-visible': { outline: '2px solid', outlineColor: 'primary.main' },
          }}
        >
          {PAGE_SIZES.map((size) => (
            <MenuItem key={size} value={size}>
              {size} rows
            </MenuItem>
          ))}
        </Select>
      )}
      <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {range || ' '}
      </Typography>
      <span role="status">
        <VisuallyHidden>{announced}</VisuallyHidden>
      </span>
      <Box sx={{ display: 'flex' }}>
        <IconButton
          aria-label="Previous page"
          disabled={loading || grid.page === 0}
          onClick={(event) => goTo(event, grid.page - 1, prev)}
        >
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        <IconButton
          aria-label="Next page"
          disabled={loading || !next}
          onClick={(event) => goTo(event, grid.page + 1, next)}
        >
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
      </Box>
    </Stack>
  );
}

/**
 * Announces the rows after another page, search or filter was chosen. A refresh that changes the number of rows is not
 * announced.
 */
function useAnnouncement({ args, filters, values }: ServerGrid, range: string): string {
  const chosen = JSON.stringify([args, filters, values]);
  const [announcement, setAnnouncement] = useState({ of: chosen, text: '' });
  if (announcement.of !== chosen && range) setAnnouncement({ of: chosen, text: `Showing ${range}` });
  return announcement.text;
}

/** On the first or last page the pressed button is disabled and loses the focus. Moves the focus to the opposite button. */
function useFocusOppositeButton(page: number, loading: boolean): (button: HTMLButtonElement) => void {
  const pressed = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = pressed.current;
    if (loading || !button) return;
    pressed.current = null;
    // A disabled button loses the focus, in some browsers a moment later.
    const isLost = document.activeElement === button || document.activeElement === document.body;
    if (button.disabled && isLost) button.parentElement?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
  }, [page, loading]);
  return (button) => void (pressed.current = button);
}

/**
 * Goes back one page when deletions have emptied the last page. Replaces the history entry: Back to an empty page would
 * lead here again, without end.
 */
function useNoEmptyPage(grid: ServerGrid, isEmpty: boolean): void {
  const { page } = grid;
  const back = useEffectEvent(() => grid.goToPage(page - 1, null, { replace: true }));
  useEffect(() => {
    if (isEmpty && page > 0) back();
  }, [isEmpty, page]);
}
