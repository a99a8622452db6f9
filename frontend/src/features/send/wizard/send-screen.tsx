import { useState } from 'react';
import { Link as RouterLink, Navigate, useLocation, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { isApiError } from '../../../api/api-error';
import { historyEntryPath, SCHEDULED_PARAM, routes, sendDraftPath } from '../../../lib/routes';
import { Page, PageHeader } from '../../../ui/page/page';
import { NotFound } from '../../../ui/page/not-found';
import { SectionError } from '../../../ui/loading/section-error';
import { PageSkeleton } from '../../../ui/loading/skeletons';
import { useCurrentUser, useScheduledEmail } from '../api';
import { saveErrorOf, useStoredDraft } from '../drafts/api';
import { clockTime } from '../../../lib/format';
import { draftCopies } from '../drafts/draft-copy';
import { openNew, openScheduled, openStored, type OpenedDraft } from '../drafts/opened-draft';
import { messages } from '../messages';
import { SendWizard } from './send-wizard';

/** The wizard, for a scheduled email, a stored draft or a new email that becomes one. */
export function SendScreen() {
  const [params] = useSearchParams();
  const scheduledId = params.get(SCHEDULED_PARAM);
  return scheduledId === null ? <Writing /> : <OpenScheduled key={scheduledId} id={scheduledId} />;
}

function Writing() {
  const { draftId = null } = useParams();
  const [open, setOpen] = useState<Opening>({ wizardKey: 0, began: draftId, draftId, created: null });
  const navigate = useNavigate();
  // Once a new email is saved, the URL becomes that of its draft, and the wizard stays mounted. Any other URL opens
  // another email.
  if (draftId !== open.draftId)
    setOpen(
      draftId !== null && draftId === open.created
        ? { ...open, draftId }
        : { wizardKey: open.wizardKey + 1, began: draftId, draftId, created: null },
    );
  const props = {
    onCreated: (created: string) => setOpen((now) => ({ ...now, created })),
    onDiscarded: () =>
      draftId === null
        ? setOpen({ wizardKey: open.wizardKey + 1, began: null, draftId: null, created: null })
        : void navigate(routes.send.path),
  };
  return open.began === null ? (
    <NewEmail key={open.wizardKey} {...props} />
  ) : (
    <OpenDraft key={open.wizardKey} draftId={open.began} {...props} />
  );
}

interface Opening {
  /** React key of the wizard; increased for each email. */
  wizardKey: number;
  /** The draft that the wizard was opened with; null for a new email. */
  began: string | null;
  draftId: string | null;
  /** The draft that the new email was saved as. */
  created: string | null;
}

interface OpenProps {
  onCreated: (id: string) => void;
  onDiscarded: () => void;
}

function NewEmail({ onCreated, onDiscarded }: OpenProps) {
  const user = useCurrentUser();
  const { search } = useLocation();
  const [copy] = useState(() => draftCopies.read(user.id));
  const [opened] = useState(() => openNew(copy, user));
  // This device has unsaved changes to a stored draft, which is opened instead.
  if (copy?.draftId) return <Navigate to={{ pathname: sendDraftPath(copy.draftId), search }} replace />;
  return <SendWizard opened={opened} onCreated={onCreated} onDiscarded={onDiscarded} />;
}

function OpenDraft({ draftId, onCreated, onDiscarded }: OpenProps & { draftId: string }) {
  const user = useCurrentUser();
  const { stored, error, isFetching, refetch } = useStoredDraft(draftId);
  const [opened, setOpened] = useState<OpenedDraft | null>(null);
  if (stored && !opened) setOpened(openStored(stored, draftCopies.read(user.id), user));
  if (opened) return <SendWizard opened={opened} onCreated={onCreated} onDiscarded={onDiscarded} />;
  const fault = error && !isFetching ? saveErrorOf(error) : null;
  if (fault?.kind === 'scheduled')
    return <NotOpen text="This draft is scheduled." to={routes.scheduled.path} label="Open Scheduled" />;
  if (fault?.kind === 'sent') return <AlreadySent sendId={fault.sendId} at={fault.at} />;
  if (isApiError(error) && error.status === 404 && !isFetching) return <NotFound signedIn />;
  if (error)
    return (
      <Page width="narrow">
        <SectionError message={messages.draftFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  return <PageSkeleton />;
}

function AlreadySent({ sendId, at }: { sendId: string; at: string }) {
  return (
    <NotOpen text={`This draft was sent at ${clockTime(at)}.`} to={historyEntryPath(sendId)} label="Open the send" />
  );
}

function OpenScheduled({ id }: { id: string }) {
  const { scheduled, error, isFetching, refetch } = useScheduledEmail(id);
  const [opened, setOpened] = useState<OpenedDraft | null>(null);
  const [wizardKey, setWizardKey] = useState(0);
  const navigate = useNavigate();
  if (scheduled && !opened && (scheduled.state === 'scheduled' || scheduled.state === 'blocked'))
    setOpened(openScheduled(scheduled));
  if (opened)
    return (
      <SendWizard
        key={wizardKey}
        opened={opened}
        onCreated={() => undefined}
        onDiscarded={() => void navigate(routes.scheduled.path)}
        onReload={() => {
          setOpened(null);
          setWizardKey((now) => now + 1);
          void refetch();
        }}
      />
    );
  if (scheduled) return <NotOpen {...whyNotOpen(scheduled)} />;
  if (isApiError(error) && error.status === 404 && !isFetching) return <NotFound signedIn />;
  if (error)
    return (
      <Page width="narrow">
        <SectionError message={messages.scheduledFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  return <PageSkeleton />;
}

/** Why a scheduled email cannot be changed any more. */
function whyNotOpen({ state, historyId }: { state: string; historyId: string | null }) {
  if (historyId) return { text: 'This email was sent.', to: historyEntryPath(historyId), label: 'Open the send' };
  const text = state === 'cancelled' ? 'This email was cancelled.' : 'This email is leaving now.';
  return { text, to: routes.scheduled.path, label: 'Open Scheduled' };
}

/** Says why the email cannot be edited, and links to where the user can continue. */
function NotOpen({ text, to, label }: { text: string; to: string; label: string }) {
  return (
    <Page width="narrow">
      <PageHeader title="Send Email" />
      <Alert
        severity="info"
        action={
          <Button size="small" color="inherit" component={RouterLink} to={to}>
            {label}
          </Button>
        }
      >
        {text}
      </Alert>
    </Page>
  );
}
