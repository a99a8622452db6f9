import Box from '@mui/material/Box';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { useToast } from '../../../ui/toast';
import { usePlans, usePlanStatus, useRefreshPlan, useStripeConfig, type Order, type Period } from '../api';
import { messages } from '../messages';
import { orderOf, planFor } from '../prices';
import { useCheckout } from '../use-checkout';
import { useOwnDocument } from '../use-own-document';
import { PaymentPanel } from './payment-panel';
import { PlanOffer } from './plan-offer';

/** What Pro brings and costs, and the payment. */
export function UpgradeScreen() {
  const { params, write } = useAddress();
  const period: Period = params.get('billing') === 'monthly' ? 'monthly' : 'yearly';
  const plans = usePlans();
  const config = useStripeConfig();
  const mode = config.data?.mode;
  const isOwn = useOwnDocument(mode);
  const plan = plans.data && planFor(plans.data, period);
  const order = mode && mode !== 'off' && isOwn ? orderOf(plan) : null;
  const [checkoutOf, start, isOpening] = useCheckout();
  const checkout = checkoutOf(order);
  useOrderForPlan(order, start);
  const isOwed = checkout.phase === 'open' && checkout.status !== 'incomplete';
  useLeaveWhenSubscribed(checkout.phase === 'settled' && ['active', 'trialing'].includes(checkout.status));
  return (
    <Page>
      <PageHeader title="Upgrade to Pro" description="Send without a daily limit. Cancel whenever you like; you keep what you paid for." />
      <Box sx={{ display: 'grid', gap: 2, alignItems: 'start', gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' } }}>
        <PlanOffer plans={plans} period={period} isFixed={isOwed} isBusy={isOpening} onPeriod={(next) => write({ billing: next === 'yearly' ? null : next }, { replace: true })} />
        <PaymentPanel plans={plans} config={config} plan={plan} checkout={checkout} isOwed={isOwed} onContinue={() => order && start(order)} />
      </Box>
    </Page>
  );
}

/** With a plan there is nothing to compare: what the server says of it, or its open invoice, is asked for at once. */
function useOrderForPlan(order: Order | null, start: (order: Order) => void): void {
  const { data } = usePlanStatus();
  const priceId = data?.hasSubscription ? order?.priceId : undefined;
  const ask = useEffectEvent(() => order && start(order));
  useEffect(() => {
    if (priceId) ask();
  }, [priceId]);
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
