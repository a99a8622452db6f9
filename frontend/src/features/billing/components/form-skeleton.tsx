import Skeleton from '@mui/material/Skeleton';
import { Waiting } from '../../../ui/skeletons';

/** The payment form to come. */
export function FormSkeleton() {
  return (
    <Waiting label="Preparing the payment">
      <Skeleton height={56} />
      <Skeleton height={56} />
      <Skeleton height={56} width="60%" />
      <Skeleton height={48} sx={{ mt: 1 }} />
    </Waiting>
  );
}
