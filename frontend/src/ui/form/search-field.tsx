import IconButton from '@mui/material/IconButton';
import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import { useEffect, useEffectEvent, useState } from 'react';
import { IconSearch, IconX } from '../icons';

const DEBOUNCE_MS = 300;

interface SearchFieldProps {
  /** Placeholder and accessible name: 'Search contacts...'. */
  label: string;
  value: string;
  /** Called 300 ms after the last key. */
  onSearch: (value: string) => void;
}

/** A debounced search field. Escape clears it. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  const [reported, setReported] = useState(value);
  if (value !== seen) {
    setSeen(value);
    // The value was changed by Back or a link, not by typing, so the field follows.
    if (value !== reported) {
      setReported(value);
      setText(value);
    }
  }
  const report = useEffectEvent((next: string) => {
    if (next === value) return;
    setReported(next);
    onSearch(next);
  });
  useEffect(() => {
    const timer = setTimeout(() => report(text.trim()), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      type="text"
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onKeyDown={(event) => {
        // Prevents Enter from submitting the form around the field.
        if (event.key === 'Enter') event.preventDefault();
        if (event.key === 'Escape' && text) {
          event.stopPropagation();
          setText('');
        }
      }}
      slotProps={{
        htmlInput: { 'aria-label': label, role: 'searchbox', enterKeyHint: 'search', maxLength: 200 },
        input: {
          startAdornment: (
            <InputAdornment position="start">
              <IconSearch size={16} aria-hidden />
            </InputAdornment>
          ),
          endAdornment: text && (
            <InputAdornment position="end">
              <IconButton size="small" edge="end" aria-label="Clear search" onClick={() => setText('')}>
                <IconX size={15} aria-hidden />
              </IconButton>
            </InputAdornment>
          ),
        },
      }}
    />
  );
}
