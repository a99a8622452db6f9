import type { ReactNode } from 'react';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { PasswordForm } from '../forms/password-form';
import { ProfileForm } from '../forms/profile-form';
import { DataExport } from './data-export';
import { DeleteAccount } from './delete-account';
import { DeviceList } from './device-list';
import { NotificationTests } from './notification-tests';
import { PictureEditor } from './picture-editor';
import { PlanPanel } from './plan-panel';
import { RolePanel } from './role-panel';
import { SecurityTrail } from './security-trail';
import { SettingsSection } from './settings-section';

/** Everything a person sets about themselves. `billing` stands under the plan where there is a paid one to look after. */
export function SettingsScreen({ billing }: { billing?: ReactNode }) {
  return (
    <Page>
      <PageHeader title="Settings" description="Your profile, your plan, and who is signed in as you." />
      <SettingsSection title="Profile" text="Your name and agency stand in the mail you send.">
        <PictureEditor />
        <ProfileForm />
      </SettingsSection>
      <SettingsSection title="Role" text="What you send.">
        <RolePanel />
      </SettingsSection>
      <SettingsSection title="Usage & Subscription" text="What is left of today, and your plan.">
        <PlanPanel />
        {billing}
      </SettingsSection>
      <SettingsSection title="Notification tests" text="See what notifications look like.">
        <NotificationTests />
      </SettingsSection>
      <SettingsSection title="Devices" text="Where you are signed in.">
        <DeviceList />
      </SettingsSection>
      <SettingsSection title="Password" text="Changing it signs out all your other devices.">
        <PasswordForm />
      </SettingsSection>
      <SettingsSection title="Security events" text="Sign-ins and changes to your account, newest first.">
        <SecurityTrail />
      </SettingsSection>
      <SettingsSection title="Your data" text="Take it with you.">
        <DataExport />
      </SettingsSection>
      <SettingsSection title="Delete account" text="For good.">
        <DeleteAccount />
      </SettingsSection>
    </Page>
  );
}
