import Button, { type ButtonProps } from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { IconCheck, IconCopy } from './icons';

/** Copies a text and says 'Copied' for 2 seconds. */
export function CopyButton({ text, label = 'Copy', onCopied, ...rest }: { text: string; label?: string; onCopied?: () => void } & Omit<ButtonProps, 'children' | 'onClick'>) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    onCopied?.();
  };
  return (
    <Button
      variant="outlined"
      color="inherit"
      startIcon={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      {...rest}
      onClick={() => void copy()}
    >
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  );
}
