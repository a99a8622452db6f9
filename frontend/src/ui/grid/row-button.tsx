import Button, { type ButtonProps } from '@mui/material/Button';

interface RowButtonProps extends Pick<ButtonProps, 'children' | 'color' | 'onClick'> {
  /** Accessible name, which says what the row is, such as "Open ann@agency.test". */
  label: string;
  /** From the cell: the grid moves the focus between its cells by the arrow keys. */
  tabIndex: 0 | -1;
}

/** Button in the actions cell of a grid row. */
export const RowButton = ({ label, color = 'inherit', ...props }: RowButtonProps) => (
  <Button size="small" variant="outlined" color={color} aria-label={label} {...props} />
);
