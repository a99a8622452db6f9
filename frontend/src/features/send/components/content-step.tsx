import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { lengthHint } from '../../../ui/form/length-hint';
import { MAX_CONTENT } from '../draft';
import { holdsTypedText, templates, type Template } from '../templates';
import type { DraftState } from '../use-draft';
import { TemplatePicker } from './template-picker';

/** Step 3: the message, from a template or from scratch. */
export function ContentStep({ state: { draft, change } }: { state: DraftState }) {
  const [asked, setAsked] = useState<Template | null>(null);
  const { error, hint } = lengthHint(draft.content.length, MAX_CONTENT);
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
        error={Boolean(error)}
        helperText={error ?? hint ?? 'Plain text. Addresses of web pages become links.'}
        slotProps={{ htmlInput: { 'aria-required': true } }}
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
