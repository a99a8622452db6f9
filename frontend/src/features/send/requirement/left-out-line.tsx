import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { plural } from '../../../lib/format';
import { amongWords } from '../../../theme/touch';
import type { LeftOut } from './api';

const words = {
  email: 'E-mail address',
  phone: 'Phone number',
  signature: 'Signature',
  disclaimer: 'Disclaimer',
} as const satisfies Record<LeftOut['texts'][number]['kind'], string>;

/** 'Left out: 1 e-mail address, a signature, the client's name (Acme).'; empty if nothing was left out. */
export function leftOutText(
  { emails, phones, signature, disclaimer }: LeftOut,
  hiddenNames: readonly string[],
): string {
  const parts = [
    emails > 0 && plural(emails, 'e-mail address', 'e-mail addresses'),
    phones > 0 && plural(phones, 'phone number'),
    signature && 'a signature',
    disclaimer && 'a disclaimer',
    hiddenNames.length > 0 && `the client's name (${hiddenNames.join(', ')})`,
  ].filter(Boolean);
  return parts.length > 0 ? `Left out: ${parts.join(', ')}.` : '';
}

interface LeftOutLineProps {
  leftOut: LeftOut;
  /** Names of the client in the text, which the post hides. */
  hiddenNames: readonly string[];
  text: string;
  isShown: boolean;
  onShow: (isShown: boolean) => void;
}

/** Says which parts of the text are not used for the post, and shows them on demand. */
export function LeftOutLine({ leftOut, hiddenNames, text, isShown, onShow }: LeftOutLineProps) {
  const id = useId();
  const line = leftOutText(leftOut, hiddenNames);
  if (!line) return null;
  return (
    <Box>
      <Typography variant="body2" color="textSecondary" component="div">
        {line}{' '}
        <Button
          size="small"
          aria-expanded={isShown}
          aria-controls={isShown ? id : undefined}
          onClick={() => onShow(!isShown)}
          sx={amongWords}
        >
          {isShown ? 'Hide' : 'Show'}
        </Button>
      </Typography>
      {isShown && (
        <Box
          component="ul"
          id={id}
          aria-label="Left out"
          tabIndex={0}
          sx={{ m: 0, mt: 0.5, pl: 2.5, maxHeight: 140, overflow: 'auto', fontSize: '0.8125rem' }}
        >
          {leftOut.texts.map(({ kind, from, to }) => (
            <Box component="li" key={`${kind}-${from}`} sx={{ overflowWrap: 'anywhere' }}>
              {`${words[kind]}: ${text.slice(from, to).trim()}`}
            </Box>
          ))}
          {hiddenNames.map((name) => (
            <Box component="li" key={name} sx={{ overflowWrap: 'anywhere' }}>
              {`Client: ${name}`}
            </Box>
          ))}
        </Box>
      )}
    </Box>
  );
}
