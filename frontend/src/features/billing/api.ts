import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { client } from '../../api/client';
import type { CreateSubscriptionDto, PlanDto, PlanInForceDto, StripeConfigDto } from '../../api/endpoints.gen';

export type Plan = PlanDto;
export type PlanInForce = PlanInForceDto;
export type StripeConfig = StripeConfigDto;
export type Order = CreateSubscriptionDto;
export type Period = Order['billingPeriod'];
export { useCurrentUser } from '../../api/session';

export const usePlans = () => client.useListPlansQuery();
export const useStripeConfig = () => client.useStripeConfigQuery();

/** What was bought; the portal and renewals change it behind our back, so opening the screen asks anew. */
export const usePlanStatus = () => client.useSubscriptionStatusQuery(undefined, { refetchOnMountOrArgChange: true });

export function useCreateSubscription() {
  const [create] = client.useCreateSubscriptionMutation();
  return useCallback((order: Order) => create({ createSubscriptionDto: order }).unwrap(), [create]);
}

/** Ends the plan with its period. */
export function useCancelPlan() {
  const [cancel, { isLoading }] = client.useCancelSubscriptionMutation();
  return [() => cancel({ cancelSubscriptionDto: { immediately: false } }).unwrap(), isLoading] as const;
}

export function useReactivatePlan() {
  const [reactivate, { isLoading }] = client.useReactivateSubscriptionMutation();
  return [() => reactivate().unwrap(), isLoading] as const;
}

export function useOpenPortal() {
  const [open, { isLoading }] = client.useCreatePortalSessionMutation();
  return [() => open().unwrap(), isLoading] as const;
}

/** Reads anew what a payment or the portal may have changed: the plan, and what the account may do. */
export function useRefreshPlan(): () => void {
  const dispatch = useDispatch();
  return useCallback(() => void dispatch(client.util.invalidateTags(['Plan', 'Me'])), [dispatch]);
}

/** Reads anew what the account may do. */
export function useRefreshAccount(): () => void {
  const dispatch = useDispatch();
  return useCallback(() => void dispatch(client.util.invalidateTags(['Me'])), [dispatch]);
}
