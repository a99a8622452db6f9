import Box from '@mui/material/Box';
import FormHelperText from '@mui/material/FormHelperText';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import type { Icon } from '../icons';

export interface CardChoice<Value extends string> {
  value: Value;
  label: string;
  text?: string;
  icon?: Icon;
  /** Why the option cannot be chosen. */
  disabledReason?: string;
}

interface RadioCardsProps<Value extends string> {
  legend: string;
  name: string;
  choices: readonly CardChoice<Value>[];
  value: Value | '';
  onChange: (value: Value) => void;
  onBlur?: () => void;
  inputRef?: (element: HTMLInputElement | null) => void;
  /** Cards per row; by default all in one. */
  columns?: number;
  /** Error below the cards; a space reserves the line. */
  error?: string;
}

/** A radio group whose options are cards. */
export function RadioCards<Value extends string>({
  legend,
  name,
  choices,
  value,
  onChange,
  onBlur,
  inputRef,
  columns,
  error,
}: RadioCardsProps<Value>) {
  const id = useId();
  return (
    <Box
      component="fieldset"
      role="radiogroup"
      aria-describedby={error?.trim() ? `${id}-error` : undefined}
      sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}
    >
      <Typography component="legend" variant="subtitle2" sx={{ p: 0, mb: 0.75, fontWeight: 580 }}>
        {legend}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1.25,
          gridTemplateColumns: { xs: '1fr', sm: `repeat(${columns ?? choices.length}, 1fr)` },
        }}
      >
        {choices.map((choice, index) => (
          <RadioCard
            key={choice.value}
            id={`${id}-${choice.value}`}
            name={name}
            choice={choice}
            checked={choice.value === value}
            onChange={onChange}
            onBlur={onBlur}
            inputRef={index === 0 ? inputRef : undefined}
          />
        ))}
      </Box>
      {error && (
        <FormHelperText id={`${id}-error`} error={error !== ' '}>
          {error}
        </FormHelperText>
      )}
    </Box>
  );
}

interface RadioCardProps<Value extends string> extends Pick<
  RadioCardsProps<Value>,
  'name' | 'onChange' | 'onBlur' | 'inputRef'
> {
  id: string;
  choice: CardChoice<Value>;
  checked: boolean;
}

function RadioCard<Value extends string>({
  id,
  name,
  choice,
  checked,
  onChange,
  onBlur,
  inputRef,
}: RadioCardProps<Value>) {
  const { value, label, text, icon: Mark, disabledReason } = choice;
  const notes = [text, disabledReason].filter((note) => note !== undefined && note !== '');
  return (
    <Box
      component="label"
      htmlFor={id}
      sx={{
        display: 'flex',
        gap: 1.25,
        alignItems: 'flex-start',
        p: 1.5,
        borderRadius: 2,
        cursor: disabledReason ? 'not-allowed' : 'pointer',
        border: 1,
        borderColor: checked ? 'primary.main' : 'controlBorder',
        bgcolor: checked ? 'accentSoft' : 'transparent',
        boxShadow: checked ? 'inset 0 0 0 1px var(--sc-palette-primary-main)' : 'none',
        ...(disabledReason && { borderStyle: 'dashed', borderColor: 'divider' }),
        '&:has(:focus-visible)': { outline: '2px solid var(--sc-palette-primary-main)', outlineOffset: 2 },
      }}
    >
      <Box
        component="input"
        type="radio"
        id={id}
        name={name}
        value={value}
        checked={checked}
        disabled={Boolean(disabledReason)}
        aria-describedby={notes.length > 0 ? `${id}-note` : undefined}
        ref={inputRef}
        onChange={() => onChange(value)}
        onBlur={onBlur}
        sx={{
          accentColor: 'var(--sc-palette-primary-main)',
          mt: '3px',
          width: 16,
          height: 16,
          flexShrink: 0,
          outline: 'none !important',
        }}
      />
      <Box sx={{ minWidth: 0, flex: 1 }}>
        <Typography
          component="span"
          sx={{ display: 'block', fontWeight: 580, color: disabledReason ? 'text.secondary' : 'text.primary' }}
        >
          {label}
        </Typography>
        {notes.length > 0 && (
          <Box component="span" id={`${id}-note`}>
            {notes.map((note) => (
              <Typography key={note} component="span" variant="body2" color="textSecondary" sx={{ display: 'block' }}>
                {note}
              </Typography>
            ))}
          </Box>
        )}
      </Box>
      {Mark && (
        <Box sx={{ color: checked ? 'primary.main' : 'text.secondary', mt: '2px' }}>
          <Mark size={18} aria-hidden />
        </Box>
      )}
    </Box>
  );
}
