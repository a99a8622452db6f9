import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useCurrentUser } from '../../api/session';
import { SectionError } from '../../ui/loading/section-error';
import { LoadingRegion } from '../../ui/loading/skeletons';
import { usePlanStatus } from './api';
import { messages } from './messages';
import { PaymentReturn } from './payment-return';
import { PlanInForce } from './plan-in-force';
import { usePortalReturn } from './portal';

/** The paid plan in the settings: when it renews or ends, and its actions. */
export function BillingPanel() {
  const { entitlements } = useCurrentUser();
  const { data, error, isFetching, refetch } = usePlanStatus();
  usePortalReturn();
  if (!data) {
    if (error && !isFetching) return <SectionError message={messages.statusFailed} onRetry={() => void refetch()} />;
    return (
      <LoadingRegion label="Loading your plan">
        <Skeleton width="55%" height={28} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <PaymentReturn
        status={data.subscription?.status ?? null}
        isFetching={isFetching}
        onCheckAgain={() => void refetch()}
      />
      {data.subscription && (
        <PlanInForce
          plan={data.subscription}
          months={data.referralCreditsMonths}
          hasPro={entitlements.plan !== 'free'}
        />
      )}
      <ReferralMonths
        months={data.referralCreditsMonths}
        isPaying={data.subscription?.status === 'active' && !data.subscription.cancelAtPeriodEnd}
      />
    </>
  );
}

function ReferralMonths({ months, isPaying }: { months: string; isPaying: boolean }) {
  if (!(Number(months) > 0)) return null;
  return (
    <Typography variant="body2" color="textSecondary">
      {isPaying
        ? 'Months earned by referrals come off your next invoices.'
        : 'Months earned by referrals keep you on Pro until they have run out.'}
    </Typography>
  );
}
