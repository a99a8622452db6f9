import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { IconMore, type Icon } from './icons';

export interface MenuAction {
  label: string;
  icon: Icon;
  onChoose: () => void;
  destructive?: boolean;
}

/** A menu of actions behind a button with three dots. */
export function ActionMenu({
  label,
  tabIndex,
  actions,
}: {
  label: string;
  tabIndex?: number;
  actions: readonly MenuAction[];
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <IconButton
        size="small"
        tabIndex={tabIndex}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        onClick={(event) => {
          event.stopPropagation();
          setAnchor(event.currentTarget);
        }}
      >
        <IconMore size={17} aria-hidden />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={Boolean(anchor)}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'right' }}
        transformOrigin={{ vertical: 'top', horizontal: 'right' }}
      >
        {actions.map(({ label: text, icon: Mark, onChoose, destructive }) => (
          <MenuItem
            key={text}
            onClick={() => {
              setAnchor(null);
              onChoose();
            }}
            sx={destructive ? { color: 'error.main' } : undefined}
          >
            <Mark size={16} aria-hidden />
            {text}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
