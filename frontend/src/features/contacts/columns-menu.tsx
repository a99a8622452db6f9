import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import ListItemText from '@mui/material/ListItemText';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { useState } from 'react';
import { client } from '../../api/client';
import { IconColumns } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { messages, reasonOf, type CustomField } from './api';
import { columnChoices } from './column-names';

interface ColumnsMenuProps {
  chosen: readonly string[];
  fields: readonly CustomField[];
}

/** Chooses the columns beside the name. They are saved when the menu closes, and shown on all of the user's devices. */
export function ColumnsMenu({ chosen, fields }: ColumnsMenuProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const [save] = client.useSetContactColumnsMutation();
  const toast = useToast();
  const choices = columnChoices(fields);
  const close = async () => {
    setAnchor(null);
    const columns = choices.map(({ column }) => column).filter((column) => ticked.includes(column));
    if (
      columns.join() ===
      choices
        .map(({ column }) => column)
        .filter((column) => chosen.includes(column))
        .join()
    )
      return;
    try {
      await save({ contactColumnsDto: { columns } }).unwrap();
    } catch (error) {
      toast({ title: messages.columnsFailed, description: reasonOf(error), variant: 'destructive' });
    }
  };
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconColumns size={16} aria-hidden />}
        aria-haspopup="menu"
        aria-expanded={Boolean(anchor)}
        onClick={(event) => {
          setTicked(chosen);
          setAnchor(event.currentTarget);
        }}
      >
        Columns
      </Button>
      <Menu anchorEl={anchor} open={Boolean(anchor)} onClose={() => void close()}>
        {choices.map(({ column, label }) => {
          const isTicked = ticked.includes(column);
          return (
            <MenuItem
              key={column}
              role="menuitemcheckbox"
              aria-checked={isTicked}
              dense
              onClick={() => setTicked(isTicked ? ticked.filter((other) => other !== column) : [...ticked, column])}
            >
              <Checkbox size="small" checked={isTicked} tabIndex={-1} disableRipple sx={{ p: 0 }} aria-hidden />
              <ListItemText primary={label} slotProps={{ primary: { noWrap: true } }} />
            </MenuItem>
          );
        })}
      </Menu>
    </>
  );
}
