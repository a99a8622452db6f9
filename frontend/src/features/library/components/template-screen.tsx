import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { errorMessage, isApiError } from '../../../api/api-error';
import { sendTypeLabel } from '../../../lib/roles';
import { routes, sendDraftPath } from '../../../lib/routes';
import { useUnsavedInput } from '../../../lib/unsaved-changes';
import { BackLink } from '../../../ui/page/back-link';
import { Page, PageHeader } from '../../../ui/page/page';
import type { RichDocument } from '../../../ui/editor/document';
import { usePictureTools } from '../../../shared/pictures';
import { RichTextField } from '../../../ui/editor/rich-text-field';
import { OptionalMark } from '../../../ui/form/text-field';
import { IconSend } from '../../../ui/icons';
import { NotFound } from '../../../ui/page/not-found';
import { SectionError } from '../../../ui/loading/section-error';
import { PageSkeleton } from '../../../ui/loading/skeletons';
import { useStartDraft, useTemplate, useTemplateActions } from '../api';
import { messages } from '../messages';
import { builtInTags } from '../../../ui/editor/tags/built-in-tags';

const DEBOUNCE_MS = 1500;

type Stored = NonNullable<ReturnType<typeof useTemplate>['data']>;

/** Edits a template; changes are saved automatically. */
export function TemplateScreen() {
  const { templateId = '' } = useParams();
  return <Loaded key={templateId} templateId={templateId} />;
}

function Loaded({ templateId }: { templateId: string }) {
  const { currentData, error, isFetching, refetch } = useTemplate(templateId);
  const [editorKey, setEditorKey] = useState(0);
  const [stored, setStored] = useState<Stored | null>(null);
  if (currentData && !isFetching && !stored) setStored(currentData);
  const reload = async () => {
    const { data } = await refetch();
    if (!data) return;
    setStored(data);
    setEditorKey(editorKey + 1);
  };
  if (stored) return <TemplateEditor key={editorKey} template={stored} onReload={() => void reload()} />;
  if (isApiError(error) && error.status === 404) return <NotFound signedIn />;
  return error ? (
    <Page width="narrow">
      <SectionError message={messages.templateFailed} pending={isFetching} onRetry={() => void refetch()} />
    </Page>
  ) : (
    <PageSkeleton />
  );
}

type Save = 'saved' | 'waiting' | 'changed' | { failed: string };

function useSaving(template: Stored) {
  const { save, rename } = useTemplateActions();
  const [values, setValues] = useState({
    name: template.name,
    subject: template.subject ?? '',
    document: template.document as unknown as RichDocument,
  });
  const [state, setState] = useState<Save>('saved');
  const storedVersion = useRef({ version: template.version, values });
  const isSaving = useRef(false);
  const run = useEffectEvent(async () => {
    if (isSaving.current || storedVersion.current.values === values || state === 'changed') return;
    isSaving.current = true;
    const wanted = values;
    try {
      let { version } = storedVersion.current;
      const { id } = template;
      if (wanted.name.trim() && wanted.name.trim() !== storedVersion.current.values.name.trim())
        ({ version } = await rename({ id, version }, wanted.name.trim()));
      ({ version } = await save(id, version, { subject: wanted.subject.trim() || null, document: wanted.document }));
      storedVersion.current = { version, values: wanted };
      setState('saved');
    } catch (error) {
      const isChanged = isApiError(error) && error.code === 'draft_changed';
      setState(isChanged ? 'changed' : { failed: errorMessage(error, messages.tryAgain) });
    }
    isSaving.current = false;
  });
  useEffect(() => {
    const timer = setTimeout(() => void run(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [values]);
  const change = (next: Partial<typeof values>) => {
    setValues((now) => ({ ...now, ...next }));
    setState((now) => (now === 'changed' ? now : 'waiting'));
  };
  return { values, change, state };
}

function TemplateEditor({ template, onReload }: { template: Stored; onReload: () => void }) {
  const { values, change, state } = useSaving(template);
  const pictures = usePictureTools();
  const navigate = useNavigate();
  const { fromOwn } = useStartDraft();
  const [isStarting, setStarting] = useState(false);
  useUnsavedInput(state !== 'saved');
  const use = async () => {
    setStarting(true);
    await fromOwn(template.id)
      .then((id) => navigate(sendDraftPath(id)))
      .finally(() => setStarting(false));
  };
  const statusText = state === 'saved' ? 'Saved' : state === 'waiting' ? 'Saving…' : '';
  return (
    <Page width="narrow">
      <PageHeader
        title={values.name.trim() || template.name}
        lead={<BackLink to={`${routes.library.path}?tab=templates`} label="Back to the templates" />}
        description={sendTypeLabel[template.emailType]}
        action={
          <>
            <Typography variant="body2" color="textSecondary">
              {statusText}
            </Typography>
            <Button
              variant="contained"
              startIcon={<IconSend size={16} aria-hidden />}
              loading={isStarting}
              loadingPosition="start"
              disabled={state !== 'saved'}
              onClick={() => void use()}
            >
              Use
            </Button>
          </>
        }
      />
      {state === 'changed' && (
        <Alert
          severity="warning"
          sx={{ mb: 2.5 }}
          action={
            <Button size="small" color="inherit" onClick={onReload}>
              Use that version
            </Button>
          }
        >
          {`${messages.templateChanged}. What you change here is not saved.`}
        </Alert>
      )}
      {typeof state === 'object' && (
        <Alert
          severity="error"
          sx={{ mb: 2.5 }}
          action={
            <Button size="small" color="inherit" onClick={() => change({})}>
              Retry
            </Button>
          }
        >
          {`Not saved: ${state.failed}`}
        </Alert>
      )}
      <Paper variant="outlined" sx={{ p: { xs: 2, sm: 3 } }}>
        <Stack sx={{ gap: 2.5 }}>
          <TextField
            id="template-name"
            label="Name"
            value={values.name}
            onChange={(event) => change({ name: event.target.value })}
            error={values.name.trim() === ''}
            helperText={values.name.trim() === '' ? 'Please enter a name' : ' '}
            slotProps={{ htmlInput: { maxLength: 100 } }}
          />
          <TextField
            id="template-subject"
            label={<OptionalMark label="Subject line" />}
            value={values.subject}
            onChange={(event) => change({ subject: event.target.value })}
            helperText="Fills an empty subject"
            slotProps={{ htmlInput: { maxLength: 255 } }}
          />
          <RichTextField
            label="Email content"
            document={values.document}
            revision={0}
            onChange={(document) => change({ document })}
            tags={builtInTags}
            pictures={pictures}
          />
        </Stack>
      </Paper>
    </Page>
  );
}
