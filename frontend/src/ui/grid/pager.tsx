import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { type MouseEvent, useEffect, useEffectEvent, useRef } from 'react';
import { formatCount, formatTotal } from '../../lib/format';
import { IconChevronLeft, IconChevronRight } from '../icons';
import { PAGE_SIZES, type ServerGrid } from './use-server-grid';

interface PagerProps {
  label: string;
  grid: ServerGrid;
  /** Rows on this page. */
  count: number;
  total: number;
  /** There are more than `total`. */
  isTotalCapped?: boolean;
  next: string | null;
  prev?: string | null;
  loading: boolean;
  /** Cards have one page size. */
  fixedSize?: boolean;
}

/** '1–25 of 1,240' or '1–25 of 10,000+', back and forth. */
export function Pager({ label, grid, count, total, isTotalCapped, next, prev = null, loading, fixedSize }: PagerProps) {
  useNoEmptyPage(grid, count === 0 && !loading);
  const onPress = useWayBack(grid.page, loading);
  const turn = (event: MouseEvent<HTMLButtonElement>, page: number, cursor: string | null) => {
    onPress(event.currentTarget);
    grid.turn(page, cursor);
  };
  const first = grid.page * grid.pageSize + 1;
  const isOnly = grid.page === 0 && !next;
  if (isOnly && (fixedSize || total <= (PAGE_SIZES[0] ?? 0))) return null;
  return (
    <Stack
      component="nav"
      aria-label={`Pages of ${label}`}
      direction="row"
      sx={{ alignItems: 'center', justifyContent: 'flex-end', gap: 1.5, px: 1.5, py: 0.75, ...(!fixedSize && { borderTop: 1, borderColor: 'surface.line' }) }}
    >
      {!fixedSize && (
        <Select<number>
          variant="standard"
          disableUnderline
          value={grid.pageSize}
          onChange={(event) => grid.setPageSize(event.target.value)}
          SelectDisplayProps={{ 'aria-label': 'Rows on a page' }}
          sx={{ fontSize: '0.8125rem', color: 'text.secondary', mr: 'auto' }}
        >
          {PAGE_SIZES.map((size) => (
            <MenuItem key={size} value={size}>
              {size} rows
            </MenuItem>
          ))}
        </Select>
      )}
      <Typography variant="body2" color="textSecondary" aria-live="polite" sx={{ fontVariantNumeric: 'tabular-nums' }}>
        {count ? `${formatCount(first)}–${formatCount(first + count - 1)} of ${formatTotal({ total, isTotalCapped })}` : ' '}
      </Typography>
      <Box sx={{ display: 'flex' }}>
        <IconButton aria-label="Previous page" disabled={loading || grid.page === 0} onClick={(event) => turn(event, grid.page - 1, prev)}>
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        <IconButton aria-label="Next page" disabled={loading || !next} onClick={(event) => turn(event, grid.page + 1, next)}>
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
      </Box>
    </Stack>
  );
}

/** Who has turned to the first or the last page goes on with the button that leads back: the pressed one takes no key any more. */
function useWayBack(page: number, loading: boolean): (button: HTMLButtonElement) => void {
  const pressed = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const button = pressed.current;
    if (loading || !button) return;
    pressed.current = null;
    // A browser gives the focus of a disabled button to nobody, some of them a moment later.
    const isLost = document.activeElement === button || document.activeElement === document.body;
    if (button.disabled && isLost) button.parentElement?.querySelector<HTMLButtonElement>('button:enabled')?.focus();
  }, [page, loading]);
  return (button) => void (pressed.current = button);
}

/** Whoever takes away the last row of the last page goes on with the page before: nothing but the first page is ever empty. */
function useNoEmptyPage(grid: ServerGrid, isEmpty: boolean): void {
  const { page } = grid;
  const back = useEffectEvent(() => grid.turn(page - 1, null));
  useEffect(() => {
    if (isEmpty && page > 0) back();
  }, [isEmpty, page]);
}
