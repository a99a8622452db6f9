import { useNavigate, useParams } from 'react-router-dom';
import { isApiError } from '../../api/api-error';
import { client } from '../../api/client';
import { plural } from '../../lib/format';
import { routes } from '../../lib/routes';
import { SectionError } from '../../ui/loading/section-error';
import { PageSkeleton } from '../../ui/loading/skeletons';
import { NotFound } from '../../ui/page/not-found';
import { BackLink } from '../../ui/page/back-link';
import { Page, PageHeader } from '../../ui/page/page';
import { Tag } from '../../ui/tag';
import { ContactsPanel } from './contacts/contacts-panel';
import { messages } from './contacts/messages';
import { ListActions } from './list-actions';
import { ListFigures } from './list-figures';

/** One list, its figures and its contacts. */
export function ListScreen() {
  const { listId = '' } = useParams();
  return <LoadedList key={listId} listId={listId} />;
}

function LoadedList({ listId }: { listId: string }) {
  const { data: list, error, isFetching, refetch } = client.useGetEmailListQuery({ id: listId });
  const navigate = useNavigate();
  if (isApiError(error) && error.status === 404) return <NotFound signedIn />;
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
      <ContactsPanel
        list={list}
        renderHeader={(buttons) => (
          <>
            <PageHeader
              title={list.name}
              lead={<BackLink to={routes.lists.path} label="Back to email lists" />}
              badge={
                <>
                  <Tag accent>{plural(list.contactCount, 'contact')}</Tag>
                  <ListActions list={list} onDeleted={() => void navigate(routes.lists.path, { replace: true })} />
                </>
              }
              description="Manage contacts in this email distribution list"
              action={buttons}
            />
            {list.contactCount > 0 && <ListFigures listId={list.id} />}
          </>
        )}
      />
    </Page>
  );
}
