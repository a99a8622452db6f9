import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { client } from '../../../api/client';
import type { SegmentDto } from '../../../api/endpoints.gen';
import { NEW_SEGMENT, segmentPath } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { SearchField } from '../../../ui/form/search-field';
import { IconFilter, IconPlus, IconSearch } from '../../../ui/icons';
import { cardGrid } from '../../../ui/linked-card';
import { EmptyState } from '../../../ui/loading/empty-state';
import { QueryError } from '../../../ui/loading/section-error';
import { CardSkeletons, LoadingRegion } from '../../../ui/loading/skeletons';
import { Page, PageHeader } from '../../../ui/page/page';
import { ContactsTabs } from '../contacts-tabs';
import { messages } from './messages';
import { DeleteSegmentDialog } from './delete-segment-dialog';
import { SegmentCard } from './segment-card';
import { Terms } from './filter';

/** The most segments of an account, so that one page contains all of them. */
const MAX_SEGMENTS = 500;

const newSegment = (
  <Button
    component={Link}
    to={segmentPath(NEW_SEGMENT)}
    variant="contained"
    startIcon={<IconPlus size={17} aria-hidden />}
  >
    New Segment
  </Button>
);

/** Saved filters over contacts. */
export function SegmentsScreen() {
  return (
    <Page>
      <PageHeader
        title="Segments"
        description="Saved filters over your contacts. Always up to date."
        action={newSegment}
      />
      <ContactsTabs />
      <SegmentCards />
    </Page>
  );
}

function SegmentCards() {
  const { params, write } = useAddress();
  const search = params.get('q') ?? '';
  const query = client.useListSegmentsQuery({ limit: MAX_SEGMENTS, sort: 'name' });
  const terms = client.useListSegmentTermsQuery();
  const [deleting, setDeleting] = useState<SegmentDto>();
  if (query.error && !query.data) return <QueryError query={query} text={messages.loadFailed} />;
  if (terms.error && !terms.data) return <QueryError query={terms} text={messages.loadFailed} />;
  if (!query.data || !terms.data) {
    return (
      <LoadingRegion label="Loading segments">
        <CardSkeletons />
      </LoadingRegion>
    );
  }
  if (query.data.rows.length === 0)
    return <EmptyState icon={IconFilter} title={messages.noneYet} text={messages.noneYetText} action={newSegment} />;
  const wanted = search.trim().toLowerCase();
  const shown = query.data.rows.filter(({ name }) => name.toLowerCase().includes(wanted));
  const all = terms.data;
  return (
    <>
      <Box sx={{ maxWidth: 360, mb: 2 }}>
        <SearchField
          label="Search segments..."
          value={search}
          onSearch={(text) => write({ q: text || null }, { replace: true })}
        />
      </Box>
      {shown.length === 0 && <EmptyState dense icon={IconSearch} title={messages.noMatch} />}
      <Box sx={cardGrid}>
        {shown.map((segment) => (
          <SegmentCard
            key={segment.id}
            segment={segment}
            terms={new Terms(all, segment.labels)}
            onDelete={() => setDeleting(segment)}
          />
        ))}
      </Box>
      {deleting && <DeleteSegmentDialog segment={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
