import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useId, useState } from 'react';
import { lengthHint } from '../../../lib/format';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { messages, reasonOf } from '../api';

interface AutoSaveFieldProps {
  label: string;
  /** The stored value; '' if there is none. */
  value: string;
  /** Options. With them the field is a select, which saves on every choice. */
  choices?: readonly { value: string; label: string }[];
  type?: 'date' | 'url';
  inputMode?: 'decimal';
  maxLength?: number;
  hint?: string;
  onSave: (value: string) => Promise<unknown>;
}

type State = { is: 'idle' | 'saving' | 'saved' } | { is: 'failed'; text: string };

/**
 * Saves on blur (selects: on change) and shows the state. A refused value stays in the field with the server's reason.
 */
export function AutoSaveField({ label, value, choices, type, inputMode, maxLength, hint, onSave }: AutoSaveFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [state, setState] = useState<State>({ is: 'idle' });
  const text = typed ?? value;
  const isChanged = typed !== undefined && typed.trim() !== value;
  useUnsavedInput(isChanged);
  const save = async (next: string) => {
    if (next.trim() === value) {
      setTyped(undefined);
      setState({ is: 'idle' });
      return;
    }
    setState({ is: 'saving' });
    try {
      await onSave(next.trim());
      // The text may have been changed while it was being saved.
      setTyped((now) => (now === next ? undefined : now));
      setState({ is: 'saved' });
    } catch (error) {
      setState({ is: 'failed', text: reasonOf(error) });
    }
  };
  const length = maxLength ? lengthHint(text.trim().length, maxLength) : {};
  const error = length.error ?? (state.is === 'failed' ? state.text : undefined);
  const words = { idle: undefined, saving: 'Saving…', saved: messages.saved, failed: undefined }[state.is];
  return (
    <TextField
      id={id}
      select={Boolean(choices)}
      label={label}
      value={text}
      type={type}
      error={Boolean(error)}
      helperText={error ?? words ?? length.hint ?? hint ?? ' '}
      onChange={({ target }) => {
        setTyped(target.value);
        setState({ is: 'idle' });
        if (choices) void save(target.value);
      }}
      onBlur={() => void (!choices && typed !== undefined && !length.error && save(typed))}
      slotProps={{
        htmlInput: { inputMode, autoComplete: 'off' },
        formHelperText: { role: 'status' },
        ...(choices && { select: { displayEmpty: true } }),
        ...((choices || type === 'date') && { inputLabel: { shrink: true } }),
      }}
    >
      {choices?.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
