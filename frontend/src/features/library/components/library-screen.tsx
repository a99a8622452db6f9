import { Page, PageHeader } from '../../../ui/page/page';
import { SendLink } from '../../../ui/send-link';
import { UrlTabs, type TabEntry } from '../../../ui/page/url-tabs';
import { DraftsTab } from './drafts-tab';
import { FilesTab } from '../files/files-tab';
import { TemplatesTab } from './templates-tab';

const tabs: readonly TabEntry[] = [
  { value: 'drafts', label: 'Drafts', content: () => <DraftsTab /> },
  { value: 'templates', label: 'Templates', content: () => <TemplatesTab /> },
  { value: 'files', label: 'Files', content: () => <FilesTab /> },
];

/** The Library: tabs with drafts, templates and files. */
export function LibraryScreen() {
  return (
    <Page>
      <PageHeader
        title="Library"
        description="Emails you have begun, templates to begin with, and files that go with them."
        action={<SendLink label="New email" />}
      />
      <UrlTabs label="Library" tabs={tabs} clears={['q', 'page', 'cursor', 'rows', 'sort', 'type', 'file']} />
    </Page>
  );
}
