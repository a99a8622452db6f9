import MuiTooltip, { type TooltipProps as MuiTooltipProps } from '@mui/material/Tooltip';
import { useEffect, useRef, useState } from 'react';

export const TOOLTIP_DELAY_MS = 700;
export const TOOLTIP_SKIP_MS = 300;

let lastClosed = Number.NEGATIVE_INFINITY;

interface TooltipProps extends Omit<MuiTooltipProps, 'open' | 'onOpen' | 'onClose'> {
  disabled?: boolean;
  /** Renders the tooltip beside its child, within the child's landmark, instead of at the end of the document. */
  inPlace?: boolean;
}

const besideChild: MuiTooltipProps['slotProps'] = {
  popper: { disablePortal: true, popperOptions: { strategy: 'fixed' } },
};

/** MUI's tooltip with a delay of 700 ms, and without a delay within 300 ms after the last tooltip closed. */
export function Tooltip({ title, children, disabled, inPlace, ...rest }: TooltipProps) {
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
  // MUI reports a close only of an open tooltip; leaving before the delay must stop the timer.
  const cancel = () => clearTimeout(timer.current);
  return (
    <MuiTooltip
      {...rest}
      onMouseLeave={cancel}
      onBlur={cancel}
      slotProps={inPlace ? besideChild : undefined}
      title={title}
      enterDelay={0}
      enterNextDelay={0}
      open={open && !disabled}
      onOpen={show}
      onClose={hide}
    >
      {children}
    </MuiTooltip>
  );
}
