import Popover from '@mui/material/Popover';
import type { KeyboardEvent, ReactNode } from 'react';

interface AnchoredPopoverProps {
  label: string;
  anchor: Element;
  /** In pixels; narrower on a narrow screen. */
  width: number;
  /** As a spacing of the theme; none by default. */
  padding?: number;
  onClose: () => void;
  children: ReactNode;
}

/** A small dialog below a tool or a chip. The caller moves the focus back into the text. */
export const AnchoredPopover = ({ label, anchor, width, padding = 0, onClose, children }: AnchoredPopoverProps) => (
  <Popover
    open
    anchorEl={anchor}
    onClose={onClose}
    disableRestoreFocus
    anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
    slotProps={{
      paper: { role: 'dialog', 'aria-label': label, sx: { p: padding, width, maxWidth: 'calc(100vw - 32px)' } },
    }}
  >
    {children}
  </Popover>
);

/** Runs `apply` on Enter. Otherwise Enter would submit the wizard's form and open the next step. */
export const applyOnEnter = (apply: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  apply();
};
