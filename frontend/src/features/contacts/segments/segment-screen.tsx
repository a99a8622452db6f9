import { useParams } from 'react-router-dom';
import { isApiError } from '../../../api/api-error';
import { client } from '../../../api/client';
import { NEW_SEGMENT } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { QueryError } from '../../../ui/loading/section-error';
import { PageSkeleton } from '../../../ui/loading/skeletons';
import { NotFound } from '../../../ui/page/not-found';
import { Page } from '../../../ui/page/page';
import { Terms } from './filter';
import { filterInState } from './more-filters';
import { messages } from './messages';
import { SegmentEditor } from './segment-editor';

/** One segment: its rules, and the people that they find. */
export function SegmentScreen() {
  const { segmentId = NEW_SEGMENT } = useParams();
  return <Loaded key={segmentId} segmentId={segmentId} />;
}

function Loaded({ segmentId }: { segmentId: string }) {
  const isNew = segmentId === NEW_SEGMENT;
  const { state } = useAddress();
  const segment = client.useGetSegmentQuery({ id: segmentId }, { skip: isNew });
  const terms = client.useListSegmentTermsQuery();
  if (isApiError(segment.error) && segment.error.status === 404) return <NotFound signedIn />;
  const failed = [segment, terms].find(({ error, data }) => error && !data);
  if (failed) {
    return (
      <Page>
        <QueryError query={failed} text={messages.oneFailed} />
      </Page>
    );
  }
  if (!terms.data || (!isNew && !segment.data)) return <PageSkeleton />;
  return (
    <SegmentEditor
      segment={segment.data}
      filter={isNew ? filterInState(state) : undefined}
      terms={new Terms(terms.data, segment.data?.labels)}
    />
  );
}
