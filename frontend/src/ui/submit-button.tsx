import Button, { type ButtonProps } from '@mui/material/Button';

interface SubmitButtonProps extends Omit<ButtonProps, 'loading'> {
  /** The call is under way: the button keeps its size and says so. */
  pending?: boolean;
}

/** The button that does it. */
export function SubmitButton({ pending = false, children, type = 'submit', variant = 'contained', ...rest }: SubmitButtonProps) {
  return (
    <Button type={type} variant={variant} {...rest} loading={pending} aria-busy={pending || undefined}>
      {children}
    </Button>
  );
}
