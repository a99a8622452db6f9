import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useState, type BaseSyntheticEvent } from 'react';
import { FormDialog } from '../../dialog/dialog-form';
import { normalizeHref } from '../href';

const NO_ADDRESS = 'Please enter a web or an email address';

interface LinkDialogProps {
  title: string;
  textLabel: 'Text' | 'Label';
  text: string;
  href: string;
  /** Whether the text is required, as for a button. */
  needsText?: boolean;
  onApply: (link: { text: string; href: string }) => void;
  /** Absent for a new link. */
  onRemove?: () => void;
  onClose: () => void;
}

/** Dialog for the text of a link or a button, and its URL. */
export function LinkDialog({ title, textLabel, text, href, needsText, onApply, onRemove, onClose }: LinkDialogProps) {
  const [values, setValues] = useState({ text, href });
  const [wasTried, setTried] = useState(false);
  const address = normalizeHref(values.href);
  const lacksText = Boolean(needsText) && values.text.trim() === '';
  const submit = (event: BaseSyntheticEvent) => {
    event.preventDefault();
    // The dialog is inside the wizard's form, which must not be submitted too.
    event.stopPropagation();
    setTried(true);
    if (address !== null && !lacksText) onApply({ text: values.text.trim(), href: address });
  };
  return (
    <FormDialog
      title={title}
      submitLabel="Apply"
      onSubmit={submit}
      onClose={onClose}
      pending={false}
      isDirty={false}
      also={
        onRemove && (
          <Button variant="outlined" color="inherit" onClick={onRemove}>
            Remove link
          </Button>
        )
      }
    >
      <TextField
        label={textLabel}
        value={values.text}
        onChange={(event) => setValues({ ...values, text: event.target.value })}
        error={wasTried && lacksText}
        helperText={(wasTried && lacksText && 'Please enter what the button says') || ' '}
        autoFocus={text === ''}
        slotProps={{ htmlInput: { maxLength: 200 } }}
      />
      <TextField
        label="Address"
        value={values.href}
        onChange={(event) => setValues({ ...values, href: event.target.value })}
        placeholder="https://"
        error={wasTried && address === null}
        helperText={(wasTried && address === null && NO_ADDRESS) || ' '}
        autoFocus={text !== ''}
        slotProps={{ htmlInput: { inputMode: 'url', maxLength: 2048, autoComplete: 'off' } }}
      />
    </FormDialog>
  );
}
