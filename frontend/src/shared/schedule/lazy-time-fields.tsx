import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import { Component, lazy, Suspense, type ReactNode } from 'react';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import type { TimeFieldsProps } from './local-time';

const load = () => import('./time-fields');

/** Fields for a date and a time, whose code is fetched when they are first shown. */
export function LazyTimeFields(props: TimeFieldsProps) {
  return (
    <CodeBoundary>
      {(Fields) => (
        <Suspense fallback={<FieldsSkeleton />}>
          <Fields {...props} />
        </Suspense>
      )}
    </CodeBoundary>
  );
}

/** Placeholders shaped like the fields. */
function FieldsSkeleton() {
  return (
    <LoadingRegion label="Loading the time">
      <Box sx={{ display: 'grid', gap: 2, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
        <Skeleton variant="rounded" height={40} />
        <Skeleton variant="rounded" height={40} />
        <Skeleton variant="rounded" height={40} sx={{ gridColumn: '1 / -1' }} />
      </Box>
    </LoadingRegion>
  );
}

type Fields = ReturnType<typeof lazyFields>;
const lazyFields = () => lazy(load);

/** Offers to fetch the code again after a failure, because a lazy component would keep its failure. */
class CodeBoundary extends Component<{ children: (fields: Fields) => ReactNode }, { fields: Fields; failed: boolean }> {
  override state = { fields: lazyFields(), failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children(this.state.fields);
    return (
      <SectionError
        message="The date and time could not be loaded."
        pending={false}
        onRetry={() => this.setState({ fields: lazyFields(), failed: false })}
      />
    );
  }
}
