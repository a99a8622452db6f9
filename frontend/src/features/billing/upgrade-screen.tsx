import Box from '@mui/material/Box';
import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { client } from '../../api/client';
import { browser } from '../../lib/browser';
import { routes } from '../../lib/routes';
import { useAddress } from '../../lib/use-address';
import { Page, PageHeader } from '../../ui/page/page';
import { useToast } from '../../ui/toast/toast';
import { usePlanStatus, useRefreshPlan, type NewSubscription, type Period, type StripeConfig } from './api';
import { messages } from './messages';
import { PaymentPanel } from './payment-panel';
import { PlanOffer } from './plan-offer';
import { orderOf, planFor } from './prices';
import { useCheckout } from './use-checkout';

/** What Pro includes and costs, and the payment. */
export function UpgradeScreen() {
  const { params, write } = useAddress();
  const period: Period = params.get('billing') === 'monthly' ? 'monthly' : 'yearly';
  const plans = client.useListPlansQuery();
  const config = client.useStripeConfigQuery();
  const mode = config.data?.mode;
  const allowsStripe = useReloadForStripeCsp(mode);
  const plan = plans.data && planFor(plans.data, period);
  const order = mode && mode !== 'off' && allowsStripe ? orderOf(plan) : null;
  const [checkoutOf, start, isOpening] = useCheckout();
  const checkout = checkoutOf(order);
  useOrderForPlan(order, start);
  const isOwed = checkout.phase === 'open' && checkout.status !== 'incomplete';
  useLeaveWhenSubscribed(checkout.phase === 'settled' && ['active', 'trialing'].includes(checkout.status));
  return (
    <Page>
      <PageHeader
        title="Upgrade to Pro"
        description="Send without a daily limit. Cancel whenever you like; you keep what you paid for."
      />
      <Box
        sx={{
          display: 'grid',
          gap: 2,
          alignItems: 'start',
          gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' },
        }}
      >
        <PlanOffer
          plans={plans}
          period={period}
          isFixed={isOwed}
          isBusy={isOpening}
          onPeriod={(next) => write({ billing: next === 'yearly' ? null : next }, { replace: true })}
        />
        <PaymentPanel
          plans={plans}
          config={config}
          plan={plan}
          checkout={checkout}
          isOwed={isOwed}
          onContinue={() => order && start(order)}
        />
      </Box>
    </Page>
  );
}

/** Places the order at once for a user who has a plan: the answer is its open invoice, or that nothing is due. */
function useOrderForPlan(order: NewSubscription | null, start: (order: NewSubscription) => void): void {
  const { data } = usePlanStatus();
  const priceId = data?.hasSubscription ? order?.priceId : undefined;
  const orderAgain = useEffectEvent(() => order && start(order));
  useEffect(() => {
    if (priceId) orderAgain();
  }, [priceId]);
}

/** Leads to the settings, where an existing plan is managed. */
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

/**
 * Reloads a document whose content security policy does not allow Stripe's script. The policy belongs to the URL from
 * which the document was loaded, and only the upgrade page's policy allows Stripe's hosts.
 * @returns whether the script is allowed
 */
function useReloadForStripeCsp(mode: StripeConfig['mode'] | undefined): boolean {
  const path = browser.loadedPath()?.replace(/\/$/, '');
  const isForeign = (mode === 'live' || mode === 'test') && path !== undefined && path !== routes.upgrade.path;
  useEffect(() => {
    if (isForeign) browser.reload();
  }, [isForeign]);
  return !isForeign;
}
