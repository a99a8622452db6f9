import Button, { type ButtonProps } from '@mui/material/Button';

interface SubmitButtonProps extends Omit<ButtonProps, 'loading'> {
  /** Whether the request is running: the button shows a spinner and keeps its size. */
  pending?: boolean;
}

/** Contained button with loading state. */
export function SubmitButton({
  pending = false,
  children,
  type = 'submit',
  variant = 'contained',
  ...rest
}: SubmitButtonProps) {
  return (
    <Button type={type} variant={variant} {...rest} loading={pending} aria-busy={pending || undefined}>
      {children}
    </Button>
  );
}
