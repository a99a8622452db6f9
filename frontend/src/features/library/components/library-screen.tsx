import { Page, PageHeader } from '../../../ui/page/page';
import { SendLink } from '../../../ui/send-link';
import { UrlTabs, type TabEntry } from '../../../ui/page/url-tabs';
import { DraftsTab } from './drafts-tab';
import { FilesTab } from './files-tab';
import { TemplatesTab } from './templates-tab';

const tabs: readonly TabEntry[] = [
  { value: 'drafts', label: 'Drafts', content: () => <DraftsTab /> },
  { value: 'templates', label: 'Templates', content: () => <TemplatesTab /> },
  { value: 'files', label: 'Files', content: () => <FilesTab /> },
];

/** What was written before: emails begun, and messages to start from. */
export function LibraryScreen() {
  return (
    <Page>
      <PageHeader
        title="Library"
        description="Emails you have begun, and templates to begin with."
        action={<SendLink label="New email" />}
      />
      <UrlTabs label="Library" tabs={tabs} clears={['q', 'page', 'type']} />
    </Page>
  );
}
