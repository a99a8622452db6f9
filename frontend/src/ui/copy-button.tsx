import Button, { type ButtonProps } from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { IconCheck, IconCopy } from './icons';

interface CopyButtonProps extends Omit<ButtonProps, 'children' | 'onClick'> {
  /** Undefined when there is nothing to copy; pressing then calls onFailed. */
  text: string | undefined;
  label?: string;
  onCopied?: () => void;
  /** Called when there is nothing to copy or the browser refused. */
  onFailed?: () => void;
}

/** Copies a text and shows 'Copied' for 2 seconds. */
export function CopyButton({ text, label = 'Copy', onCopied, onFailed, ...rest }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async () => {
    try {
      if (!text) throw new Error('nothing to copy');
      await navigator.clipboard.writeText(text);
      setCopied(true);
      onCopied?.();
    } catch {
      onFailed?.();
    }
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
