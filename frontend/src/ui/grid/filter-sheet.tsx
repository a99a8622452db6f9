import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { IconFilter } from '../icons';
import { useNarrow } from '../page/page';

interface FilterSheetProps {
  /** Number of filters that are set. */
  active: number;
  children: ReactNode;
}

/**
 * Filters next to the search; on a phone they are in a sheet at the bottom, which a button opens. Both layouts have the
 * same position in the React tree, so that rotating the device does not close what is open in them.
 */
export function FilterSheet({ active, children }: FilterSheetProps) {
  const narrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const closeByKey = (event: KeyboardEvent<HTMLElement>) => {
    // Key events of open menus and dialogs bubble here through React, although these are elsewhere in the document.
    if (narrow && isOpen && event.key === 'Escape' && event.currentTarget.contains(event.target as Node)) close();
  };
  return (
    <>
      {narrow && (
        <Button
          ref={button}
          variant="outlined"
          color="inherit"
          startIcon={<IconFilter size={16} aria-hidden />}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {active > 0 ? `Filters (${active})` : 'Filters'}
        </Button>
      )}
      <Box
        id={id}
        role={narrow ? 'region' : undefined}
        aria-label={narrow ? 'Filters' : undefined}
        onKeyDown={closeByKey}
        sx={narrow ? (isOpen ? sheet : { display: 'none' }) : beside}
      >
        {children}
        {narrow && (
          <Button variant="contained" onClick={close}>
            Done
          </Button>
        )}
      </Box>
    </>
  );
}

const beside = {
  display: 'contents',
  '& > *': { flex: '1 1 128px', maxWidth: 200 },
  '& > button, & > a': { flex: '0 1 auto', maxWidth: 'none' },
} as const;

const sheet = {
  position: 'fixed',
  insetInline: 0,
  bottom: 0,
  zIndex: 'drawer',
  display: 'flex',
  flexDirection: 'column',
  gap: 1.25,
  p: 2,
  pb: 'calc(16px + env(safe-area-inset-bottom))',
  maxHeight: '80vh',
  overflowY: 'auto',
  bgcolor: 'background.paper',
  borderTop: 1,
  borderColor: 'divider',
  borderRadius: '12px 12px 0 0',
  boxShadow: 8,
} as const;
