import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { formatCount } from '../../../lib/format';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { holdsTypedText, templates, type Template } from '../templates';
import type { DraftState } from '../use-draft';
import { TemplatePicker } from './template-picker';

const MAX = 100_000;

/** Step 3: the message, from a template or from scratch. */
export function ContentStep({ state: { draft, change } }: { state: DraftState }) {
  const [asked, setAsked] = useState<Template | null>(null);
  const fill = (template: Template) => {
    change({ content: template.content });
    setAsked(null);
  };
  return (
    <Stack sx={{ gap: 2.5 }}>
      <TemplatePicker templates={templates[draft.emailType]} onPick={(template) => (holdsTypedText(draft.content) ? setAsked(template) : fill(template))} />
      <TextField
        id="send-content"
        label="Email content"
        multiline
        rows={12}
        value={draft.content}
        onChange={(event) => change({ content: event.target.value })}
        helperText={draft.content.length > MAX * 0.9 ? `${formatCount(MAX - draft.content.length)} characters left` : 'Plain text. Addresses of web pages become links.'}
        slotProps={{ htmlInput: { maxLength: MAX, 'aria-required': true } }}
      />
      <ConfirmDialog
        open={asked !== null}
        title="Replace what you typed?"
        confirmLabel="Replace"
        cancelLabel="Keep my text"
        onConfirm={() => asked && fill(asked)}
        onCancel={() => setAsked(null)}
      >
        {asked ? `"${asked.name}" takes the place of the text in the content field.` : ''}
      </ConfirmDialog>
    </Stack>
  );
}
