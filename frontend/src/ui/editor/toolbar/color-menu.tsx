import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { Editor } from '@tiptap/react';
import { textColors } from '../../../theme/writing-colors';
import { Swatch } from './swatch';

interface MenuProps {
  editor: Editor;
  anchor: HTMLElement;
  onClose: (backToText?: boolean) => void;
}

/** Menu of text colours; each is readable in a light and in a dark mail. */
export function ColorMenu({ editor, anchor, onClose }: MenuProps) {
  const set = (color: string | null) => {
    onClose(true);
    const chain = editor.chain().focus();
    if (color) chain.setMark('color', { color }).run();
    else chain.unsetMark('color').run();
  };
  return (
    <Menu anchorEl={anchor} open onClose={() => onClose()} disableRestoreFocus>
      <MenuItem selected={!editor.isActive('color')} onClick={() => set(null)}>
        <Swatch />
        Default
      </MenuItem>
      {textColors.map(({ value, label }) => (
        <MenuItem key={value} selected={editor.isActive('color', { color: value })} onClick={() => set(value)}>
          <Swatch kind="ink" hue={value} />
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}
