import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import FormControlLabel from '@mui/material/FormControlLabel';
import Stack from '@mui/material/Stack';
import Switch from '@mui/material/Switch';
import TextField from '@mui/material/TextField';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { builtInTemplates } from '../../../ui/editor/built-in-templates';
import {
  documentFromText,
  documentLength,
  documentText,
  isEmptyDocument,
  MAX_DOCUMENT_LENGTH,
  type RichDocument,
} from '../../../ui/editor/document';
import { usePictureTools } from '../../../shared/pictures';
import type { EditorHandle } from '../../../ui/editor/editor-handle';
import { RichTextField } from '../../../ui/editor/rich-text-field';
import type { FindingPlace } from '../check/finding-place';
import { lengthHint } from '../../../lib/format';
import { MAX_CONTENT_LENGTH } from '../draft';
import { FilesSection } from '../files/files-section';
import type { Uploads } from '../files/use-uploads';
import { useMergeTags } from './use-merge-tags';
import { bodyOfTemplate, hasTypedText, senderPartsOf, type Template } from './templates';
import type { DraftState } from '../use-draft';
import { OwnTemplates } from './own-templates';
import { TemplatePicker } from './template-picker';

/** Step 3: the message, from a template or from scratch, as rich or plain text, and the files that go with it. */
export function ContentStep({
  state,
  uploads,
  editor,
  place = null,
  pasting,
}: {
  state: DraftState;
  uploads: Uploads;
  /** Refers to the field while the text is rich. */
  editor: RefObject<EditorHandle | null>;
  place?: FindingPlace | null;
  /** Button that opens the dialog in which the user pastes a requirement and gets a job post. */
  pasting?: ReactNode;
}) {
  const findingPlace = place?.part === 'content' ? place : null;
  const { draft, current, change, replace, revision } = state;
  const [asked, setAsked] = useState<Template | null>(null);
  const [isAskingPlain, setAskingPlain] = useState(false);
  const [formatted, setFormatted] = useState<RichDocument | null>(null);
  const tags = useMergeTags(draft.emailListIds);
  const isPlain = draft.document === null;
  // Reads the current draft, because the user may have typed while the template was loading.
  const fill = (template: Template) => {
    setAsked(null);
    const { subject: typed, document } = current();
    const subject = typed.trim() === '' && template.subject ? { subject: template.subject } : {};
    // A template replaces a post that was made from a job, so the job is removed.
    replace({ ...bodyOfTemplate(template, document === null), ...senderPartsOf(template), ...subject, job: null });
  };
  const pick = (template: Template) => (hasTypedText(current()) ? setAsked(template) : fill(template));
  const toPlain = () => {
    setAskingPlain(false);
    if (!draft.document) return;
    setFormatted(isEmptyDocument(draft.document) ? null : draft.document);
    replace({ content: documentText(draft.document), document: null });
  };
  const switchPlain = () => {
    if (draft.document) return isEmptyDocument(draft.document) ? toPlain() : setAskingPlain(true);
    setFormatted(null);
    replace({ content: '', document: documentFromText(draft.content) });
  };
  return (
    <Stack sx={{ gap: 2.5 }}>
      <Box sx={{ display: 'flex', gap: 2, flexWrap: 'wrap', alignItems: 'flex-end' }}>
        <TemplatePicker templates={builtInTemplates[draft.emailType]} onPick={pick}>
          <OwnTemplates draft={draft} onPick={pick} />
          {pasting}
        </TemplatePicker>
        <FormControlLabel
          control={<Switch size="small" checked={isPlain} onChange={switchPlain} />}
          label="Plain text"
          sx={{ ml: { xs: 0, sm: 'auto' }, mr: 0, minHeight: 36 }}
        />
      </Box>
      {draft.document ? (
        <RichContent
          state={state}
          document={draft.document}
          revision={revision}
          tags={tags}
          place={findingPlace}
          handle={editor}
        />
      ) : (
        <PlainContent content={draft.content} onChange={(content) => change({ content })} place={findingPlace} />
      )}
      {isPlain && formatted && (
        <Alert
          severity="info"
          action={
            <Button
              size="small"
              color="inherit"
              onClick={() => {
                replace({ content: '', document: formatted });
                setFormatted(null);
              }}
            >
              Undo
            </Button>
          }
        >
          The formatting was removed.
        </Alert>
      )}
      <FilesSection state={state} uploads={uploads} editor={editor} takesFocus={place?.part === 'files'} />
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
      <ConfirmDialog
        open={isAskingPlain}
        title="Plain text"
        confirmLabel="Keep text"
        onConfirm={toPlain}
        onCancel={() => setAskingPlain(false)}
      >
        Formatting is lost. Keep the text only?
      </ConfirmDialog>
    </Stack>
  );
}

function RichContent({
  state: { change, saveNow },
  ...field
}: {
  state: DraftState;
  document: RichDocument;
  revision: number;
  tags: ReturnType<typeof useMergeTags>;
  place: FindingPlace | null;
  handle: RefObject<EditorHandle | null>;
}) {
  const pictures = usePictureTools();
  const { error, hint } = lengthHint(documentLength(field.document), MAX_DOCUMENT_LENGTH);
  return (
    <RichTextField
      label="Email content"
      {...field}
      onChange={(document) => change({ document })}
      onLeave={saveNow}
      pictures={pictures}
      error={error}
      hint={hint}
    />
  );
}

function PlainContent({
  content,
  onChange,
  place,
}: {
  content: string;
  onChange: (content: string) => void;
  place: FindingPlace | null;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const select = useEffectEvent(() => {
    if (!place) return;
    field.current?.focus();
    field.current?.setSelectionRange(place.from, place.to);
  });
  useEffect(() => select(), []);
  const { error, hint } = lengthHint(content.length, MAX_CONTENT_LENGTH);
  return (
    <TextField
      inputRef={field}
      id="send-content"
      label="Email content"
      multiline
      rows={12}
      value={content}
      onChange={(event) => onChange(event.target.value)}
      error={Boolean(error)}
      helperText={error ?? hint ?? 'Plain text. Addresses of web pages become links.'}
      slotProps={{ htmlInput: { 'aria-required': true } }}
    />
  );
}
