import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import type { ChainedCommands, Editor } from '@tiptap/react';
import { cellTints } from '../schema/tables';
import { Swatch } from './swatch';

interface MenuProps {
  editor: Editor;
  anchor: HTMLElement;
  onClose: (backToText?: boolean) => void;
}

const steps: [label: string, run: (chain: ChainedCommands) => ChainedCommands][] = [
  ['Add row above', (chain) => chain.addRowBefore()],
  ['Add row below', (chain) => chain.addRowAfter()],
  ['Remove row', (chain) => chain.deleteRow()],
  ['Add column before', (chain) => chain.addColumnBefore()],
  ['Add column after', (chain) => chain.addColumnAfter()],
  ['Remove column', (chain) => chain.deleteColumn()],
  ['Header row', (chain) => chain.toggleHeaderRow()],
  ['Remove table', (chain) => chain.deleteTable()],
];

/** Menu of actions on the table at the cursor. */
export function TableMenu({ editor, anchor, onClose }: MenuProps) {
  const act = (run: (chain: ChainedCommands) => ChainedCommands) => {
    onClose(true);
    run(editor.chain().focus()).run();
  };
  const tint = (value: string | null) => act((chain) => chain.setCellAttribute('tint', value));
  return (
    <Menu anchorEl={anchor} open onClose={() => onClose()} disableRestoreFocus>
      {steps.map(([label, run]) => (
        <MenuItem key={label} onClick={() => act(run)}>
          {label}
        </MenuItem>
      ))}
      <Divider />
      <MenuItem onClick={() => tint(null)}>No shading</MenuItem>
      {cellTints.map(({ value, label }) => (
        <MenuItem key={value} onClick={() => tint(value)}>
          <Swatch kind="tint" hue={value} />
          {`${label} shading`}
        </MenuItem>
      ))}
    </Menu>
  );
}
