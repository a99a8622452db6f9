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
  /** The text is needed: a button without one says nothing. */
  needsText?: boolean;
  onApply: (link: { text: string; href: string }) => void;
  /** Absent where there is no link yet. */
  onRemove?: () => void;
  onClose: () => void;
}

/** The words of a link or a button and where it leads. */
export function LinkDialog({ title, textLabel, text, href, needsText, onApply, onRemove, onClose }: LinkDialogProps) {
  const [values, setValues] = useState({ text, href });
  const [wasTried, setTried] = useState(false);
  const address = normalizeHref(values.href);
  const lacksText = Boolean(needsText) && values.text.trim() === '';
  const submit = (event: BaseSyntheticEvent) => {
    event.preventDefault();
    // The dialog stands in the form of the wizard, whose next step is not meant.
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
