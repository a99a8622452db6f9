import Box from '@mui/material/Box';
import TextField, { type TextFieldProps } from '@mui/material/TextField';
import type { ReactNode } from 'react';
import { IconCheck, IconQuestion } from '../../../ui/icons';
import type { Confidence } from './api';
import type { Guess } from './guesses';

const looks = {
  sure: { Icon: IconCheck, word: 'sure', color: 'tone.success.main' },
  check: { Icon: IconQuestion, word: 'please check', color: 'tone.warning.main' },
} as const;

/** Shows how certain a guess is. */
export function GuessMark({ confidence }: { confidence: Confidence }) {
  const { Icon, word, color } = looks[confidence];
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, color, fontWeight: 560 }}>
      <Icon size={13} strokeWidth={2.4} aria-hidden />
      {word}
    </Box>
  );
}

/**
 * The line under a field: an error, or the mark of its guess and a hint. It is always rendered, so that nothing moves.
 */
export function helperLine(error: string | undefined, guess: Guess | undefined, hint?: ReactNode): ReactNode {
  if (error) return error;
  if (!guess && !hint) return ' ';
  return (
    <>
      {guess && <GuessMark confidence={guess.confidence} />}
      {guess && hint && ' · '}
      {hint}
    </>
  );
}

interface JobFieldProps extends Omit<TextFieldProps, 'error' | 'helperText' | 'onChange' | 'value'> {
  value: string;
  onChange: (value: string) => void;
  error?: string;
  /** The guess whose value is still in the field. */
  guess?: Guess;
  hint?: ReactNode;
  /** Whether the line under the field is rendered only when it has content. */
  isLineOptional?: boolean;
}

/** A field for one detail of the job. */
export function JobField({ onChange, error, guess, hint, isLineOptional, ...field }: JobFieldProps) {
  return (
    <TextField
      {...field}
      onChange={(event) => onChange(event.target.value)}
      error={error !== undefined}
      helperText={isLineOptional && !error && !guess && !hint ? undefined : helperLine(error, guess, hint)}
    />
  );
}
