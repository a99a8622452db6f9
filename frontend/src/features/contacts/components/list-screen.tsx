import { isApiError } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { BackLink } from '../../../ui/back-link';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SectionError } from '../../../ui/section-error';
import { PageSkeleton } from '../../../ui/skeletons';
import { Tag } from '../../../ui/tag';
import { useList } from '../api';
import { messages } from '../messages';
import { ContactsWork } from './contacts-work';

/** One list and its contacts. */
export function ListScreen({ listId, notFound }: { listId: string; notFound: React.ReactNode }) {
  const { data: list, error, isFetching, refetch } = useList(listId);
  if (isApiError(error) && error.status === 404) return notFound;
  if (error && !list) {
    return (
      <Page>
        <SectionError message={messages.listGone} pending={isFetching} onRetry={() => void refetch()} />
      </Page>
    );
  }
  if (!list) return <PageSkeleton />;
  return (
    <Page>
      <ContactsWork
        list={list}
        head={(buttons) => (
          <PageHeader
            title={list.name}
            lead={<BackLink to={routes.lists.path} label="Back to email lists" />}
            badge={<Tag accent>{plural(list.contactCount, 'contact')}</Tag>}
            description="Manage contacts in this email distribution list"
            action={buttons}
          />
        )}
      />
    </Page>
  );
}
