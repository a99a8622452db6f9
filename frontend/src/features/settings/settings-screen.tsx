import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { SETTINGS_SECTIONS, type SettingsSectionId } from '../../lib/routes';
import { Page, PageHeader } from '../../ui/page/page';
import { ContactFields } from './contact-fields';
import { ContactTags } from './contact-tags';
import { DataExport, DeleteAccount } from './account-data';
import { DeviceList } from './device-list';
import { NotificationTests } from './notification-tests';
import { PasswordForm } from './password-form';
import { PictureEditor } from './picture-editor';
import { PlanPanel } from './plan-panel';
import { ProfileForm } from './profile-form';
import { RolePanel } from './role-panel';
import { SecurityEvents } from './security-events';
import { LookForm } from './sender/look-form';
import { SenderForm } from './sender/sender-form';

/**
 * The settings.
 * @param billing the paid plan, shown under the usage
 * @param notifications which notifications the user gets, and how
 */
export function SettingsScreen({ billing, notifications }: { billing?: ReactNode; notifications?: ReactNode }) {
  return (
    <Page>
      <PageHeader title="Settings" description="Your profile, your plan, and who is signed in as you." />
      <SettingsSection id="profile" text="Your name and agency appear in the mail you send.">
        <PictureEditor />
        <ProfileForm />
      </SettingsSection>
      <SettingsSection id="sender" text="What your emails say about you, and the postal address that US law asks for.">
        <SenderForm />
      </SettingsSection>
      <SettingsSection id="look" text="Logo, colour and signature of what you write with the editor.">
        <LookForm />
      </SettingsSection>
      <SettingsSection id="role" text="What you send.">
        <RolePanel />
      </SettingsSection>
      <SettingsSection id="plan" text="Today's usage and your plan.">
        <PlanPanel />
        {billing}
      </SettingsSection>
      <SettingsSection id="fields" text="Fields and tags of your own.">
        <ContactFields />
        <ContactTags />
      </SettingsSection>
      <SettingsSection id="notifications" text="What you are told, and how.">
        {notifications}
      </SettingsSection>
      <SettingsSection id="notification-tests" text="See what notifications look like.">
        <NotificationTests />
      </SettingsSection>
      <SettingsSection id="devices" text="Where you are signed in.">
        <DeviceList />
      </SettingsSection>
      <SettingsSection id="password" text="Changing it signs out all your other devices.">
        <PasswordForm />
      </SettingsSection>
      <SettingsSection id="security" text="Sign-ins and changes to your account, newest first.">
        <SecurityEvents />
      </SettingsSection>
      <SettingsSection id="data" text="Download everything your account holds.">
        <DataExport />
      </SettingsSection>
      <SettingsSection id="delete" text="This cannot be undone.">
        <DeleteAccount />
      </SettingsSection>
    </Page>
  );
}

/** One section: its title on the left, its controls on the right. The URL's #id opens and focuses it. */
function SettingsSection({
  id: section,
  text,
  children,
}: {
  id: SettingsSectionId;
  text: string;
  children: ReactNode;
}) {
  const id = useId();
  const heading = useRef<HTMLElement>(null);
  const { hash, key } = useLocation();
  const isTarget = hash === `#${section}`;
  useEffect(() => {
    if (!isTarget) return;
    heading.current?.scrollIntoView({ block: 'start' });
    heading.current?.focus({ preventScroll: true });
  }, [isTarget, key]);
  return (
    <Box
      component="section"
      aria-labelledby={id}
      id={section}
      sx={{
        display: 'grid',
        gap: { xs: 1.25, lg: 4 },
        gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: '230px minmax(0, 1fr)' },
        py: { xs: 2, lg: 3 },
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box>
        <Typography
          id={id}
          ref={heading}
          tabIndex={isTarget ? -1 : undefined}
          variant="h2"
          sx={{ fontSize: '1rem', scrollMarginTop: 80, outline: 'none' }}
        >
          {SETTINGS_SECTIONS.find((known) => known.id === section)?.title}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, maxWidth: '40ch' }}>
          {text}
        </Typography>
      </Box>
      <Paper
        variant="outlined"
        sx={{ p: { xs: 2, sm: 2.5 }, minWidth: 0, display: 'grid', gap: 2.5, gridTemplateColumns: 'minmax(0, 1fr)' }}
      >
        {children}
      </Paper>
    </Box>
  );
}
