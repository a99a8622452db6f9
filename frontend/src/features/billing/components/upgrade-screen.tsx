import Box from '@mui/material/Box';
import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { useToast } from '../../../ui/toast';
import { usePlans, useRefreshPlan, useStripeConfig, type Period } from '../api';
import { messages } from '../messages';
import { orderOf, planFor } from '../prices';
import { useCheckout } from '../use-checkout';
import { useOwnDocument } from '../use-own-document';
import { PaymentPanel } from './payment-panel';
import { PlanOffer } from './plan-offer';

/** What Pro brings and costs, and the payment. */
export function UpgradeScreen() {
  const [period, setPeriod] = useState<Period>('yearly');
  const plans = usePlans();
  const config = useStripeConfig();
  const mode = config.data?.mode;
  const isOwn = useOwnDocument(mode);
  const plan = plans.data && planFor(plans.data, period);
  const [checkout, retry] = useCheckout(mode && mode !== 'off' && isOwn ? orderOf(plan) : null);
  const isOwed = checkout.phase === 'open' && checkout.status !== 'incomplete';
  useLeaveWhenSubscribed(checkout.phase === 'settled' && ['active', 'trialing'].includes(checkout.status));
  return (
    <Page>
      <PageHeader title="Upgrade to Pro" description="Send without a daily limit. Cancel whenever you like; you keep what you paid for." />
      <Box sx={{ display: 'grid', gap: 2, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' } }}>
        <PlanOffer plans={plans} period={period} isFixed={isOwed} onPeriod={setPeriod} />
        <PaymentPanel plans={plans} config={config} plan={plan} checkout={checkout} isOwed={isOwed} onRetry={retry} />
      </Box>
    </Page>
  );
}

/** There is a plan already: it is looked after in the settings. */
function useLeaveWhenSubscribed(isSubscribed: boolean): void {
  const toast = useToast();
  const navigate = useNavigate();
  const refresh = useRefreshPlan();
  useEffect(() => {
    if (!isSubscribed) return;
    toast({ title: messages.alreadySubscribed, description: messages.alreadySubscribedText });
    refresh();
    void navigate(routes.settings.path, { replace: true });
  }, [isSubscribed, navigate, refresh, toast]);
}
