import IconButton from '@mui/material/IconButton';
import { Tooltip } from '../../tooltip';
import type { Icon } from '../../icons';

interface ToolButtonProps {
  label: string;
  icon: Icon;
  keys?: string;
  /** For a toggle, whether it is on; absent for a button with a single action. */
  isOn?: boolean;
  isDisabled?: boolean;
  /** Whether the button opens a menu. */
  opens?: boolean;
  isOpen: boolean;
  /** Whether the button is the toolbar's tab stop. */
  isTabStop: boolean;
  run: (anchor: HTMLElement) => void;
  onFocus: () => void;
}

/**
 * One button of the toolbar. A press keeps the text's selection; a disabled button can still be reached by arrow keys.
 */
export function ToolButton({
  label,
  icon: Mark,
  keys,
  isOn,
  isDisabled,
  opens,
  isOpen,
  isTabStop,
  run,
  onFocus,
}: ToolButtonProps) {
  return (
    <Tooltip title={keys ? `${label} (${keys})` : label}>
      <IconButton
        size="small"
        aria-label={label}
        aria-pressed={opens ? undefined : isOn}
        aria-haspopup={opens ? 'menu' : undefined}
        aria-expanded={opens ? isOpen : undefined}
        aria-disabled={isDisabled || undefined}
        tabIndex={isTabStop ? 0 : -1}
        onFocus={onFocus}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          if (!isDisabled) run(event.currentTarget);
        }}
        sx={{
          borderRadius: 1.5,
          flexShrink: 0,
          width: { xs: 40, md: 34 },
          height: { xs: 40, md: 34 },
          color: isOn ? 'primary.main' : 'text.secondary',
          bgcolor: isOn ? 'accentSoft' : 'transparent',
          ...(isDisabled && { opacity: 0.45 }),
        }}
      >
        <Mark size={17} aria-hidden />
      </IconButton>
    </Tooltip>
  );
}
