import Tooltip, { type TooltipProps } from '@mui/material/Tooltip';
import { useEffect, useRef, useState } from 'react';

export const TOOLTIP_DELAY_MS = 700;
export const TOOLTIP_SKIP_MS = 300;

let lastClosed = Number.NEGATIVE_INFINITY;

interface HintProps extends Omit<TooltipProps, 'open' | 'onOpen' | 'onClose'> {
  disabled?: boolean;
  /** Stays beside its child in the document (inside a landmark) instead of at the end of it. */
  inPlace?: boolean;
}

const besideChild: TooltipProps['slotProps'] = { popper: { disablePortal: true, popperOptions: { strategy: 'fixed' } } };

/** A tooltip that waits 700 ms, or opens at once within 300 ms of the last one. */
export function Hint({ title, children, disabled, inPlace, ...rest }: HintProps) {
  const [open, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    const delay = performance.now() - lastClosed < TOOLTIP_SKIP_MS ? 0 : TOOLTIP_DELAY_MS;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(true), delay);
  };
  const hide = () => {
    clearTimeout(timer.current);
    if (open) lastClosed = performance.now();
    setOpen(false);
  };
  // The tooltip reports a close only when it is open: one that is passed by in less than the wait must not open afterwards.
  const forget = () => clearTimeout(timer.current);
  return (
    <Tooltip {...rest} onMouseLeave={forget} onBlur={forget} slotProps={inPlace ? besideChild : undefined} title={title} enterDelay={0} enterNextDelay={0} open={open && !disabled} onOpen={show} onClose={hide}>
      {children}
    </Tooltip>
  );
}
