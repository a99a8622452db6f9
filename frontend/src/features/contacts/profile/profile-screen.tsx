import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router-dom';
import { isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import { formatDate } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { ActionMenu } from '../../../ui/action-menu';
import { IconBan, IconDelete, IconDownload, IconMail, IconPlus } from '../../../ui/icons';
import { SectionError } from '../../../ui/loading/section-error';
import { PageSkeleton } from '../../../ui/loading/skeletons';
import { NotFound } from '../../../ui/page/not-found';
import { BackLink } from '../../../ui/page/back-link';
import { Page, PageHeader } from '../../../ui/page/page';
import { StatusBadge } from '../../../ui/status-badge';
import { UrlTabs } from '../../../ui/page/url-tabs';
import { RuleDialog } from '../do-not-send/rule-dialog';
import { RuleNotice } from '../do-not-send/rule-notice';
import { evidenceUrl, messages, nameOf, personName, type ProfileDetail } from '../api';
import { AddressDialog, DeleteProfileDialog, NoteDialog } from './dialogs';
import { DetailsTab } from './details-tab';
import { ListsTab } from './lists-tab';
import { TimelineTab } from './timeline-tab';

/** One person: the timeline, the details and the lists. */
export function ProfileScreen() {
  const { profileId = '' } = useParams();
  return <LoadedProfile key={profileId} profileId={profileId} />;
}

function LoadedProfile({ profileId }: { profileId: string }) {
  const { data: profile, error, isFetching, refetch } = client.useGetProfileQuery({ id: profileId });
  if (isApiError(error) && error.status === 404) return <NotFound signedIn />;
  if (error && !profile) {
    return (
      <Page>
        <SectionError message={messages.oneFailed} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  }
  return profile ? <ProfileView profile={profile} /> : <PageSkeleton />;
}

function ProfileView({ profile }: { profile: ProfileDetail }) {
  return (
    <Page>
      <PageHeader
        title={nameOf(profile)}
        lead={<BackLink to={routes.contacts.path} label="Back to contacts" />}
        badge={<StatusBadge status={profile.consent} />}
        action={<ProfileActions profile={profile} />}
        description={
          <>
            {personName(profile) && (
              <Typography variant="mono" component="span" sx={{ display: 'block' }}>
                {profile.email}
              </Typography>
            )}
            {[profile.jobTitle, profile.company ?? profile.companyDomain].filter(Boolean).join(', ')}
          </>
        }
      />
      {profile.consent === 'left' && (
        <Alert severity="error" sx={{ mb: 2 }}>
          {profile.leftAt ? `They left on ${formatDate(profile.leftAt)}.` : 'They left your lists.'} Only their own new
          confirmation brings them back.
        </Alert>
      )}
      {profile.doNotSend && <RuleNotice rule={profile.doNotSend} />}
      <UrlTabs
        label="Contact"
        tabs={[
          { value: 'story', label: 'Story', content: () => <TimelineTab profile={profile} /> },
          { value: 'details', label: 'Details', content: () => <DetailsTab profile={profile} /> },
          { value: 'lists', label: 'Lists', content: () => <ListsTab profile={profile} /> },
        ]}
        clears={['kind']}
      />
    </Page>
  );
}

function ProfileActions({ profile }: { profile: ProfileDetail }) {
  const [dialog, setDialog] = useState<'note' | 'block' | 'address' | 'delete' | null>(null);
  const navigate = useNavigate();
  const close = () => setDialog(null);
  return (
    <>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconPlus size={16} aria-hidden />}
        onClick={() => setDialog('note')}
      >
        Add note
      </Button>
      {!profile.doNotSend && (
        <Button
          variant="outlined"
          color="inherit"
          startIcon={<IconBan size={16} aria-hidden />}
          onClick={() => setDialog('block')}
        >
          Do not send
        </Button>
      )}
      <ActionMenu
        label={`Actions for ${nameOf(profile)}`}
        actions={[
          { label: 'Change address', icon: IconMail, onChoose: () => setDialog('address') },
          { label: 'Download evidence', icon: IconDownload, onChoose: () => location.assign(evidenceUrl(profile.id)) },
          { label: 'Delete contact', icon: IconDelete, onChoose: () => setDialog('delete'), destructive: true },
        ]}
      />
      {dialog === 'note' && <NoteDialog profile={profile} onClose={close} />}
      {dialog === 'block' && (
        <RuleDialog
          title={`Do not send to ${nameOf(profile)}`}
          values={[profile.email, ...(profile.companyDomain ? [profile.companyDomain] : [])]}
          onClose={close}
        />
      )}
      {dialog === 'address' && <AddressDialog profile={profile} onClose={close} />}
      {dialog === 'delete' && (
        <DeleteProfileDialog
          profile={profile}
          onClose={close}
          onDeleted={() => void navigate(routes.contacts.path, { replace: true })}
        />
      )}
    </>
  );
}
