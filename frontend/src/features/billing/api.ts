import { useCallback } from 'react';
import { useDispatch } from 'react-redux';
import { client } from '../../api/client';
import type { CreateSubscriptionDto, PlanDto, PlanInForceDto, StripeConfigDto } from '../../api/endpoints.gen';

export type Plan = PlanDto;
export type PlanInForce = PlanInForceDto;
export type StripeConfig = StripeConfigDto;
export type NewSubscription = CreateSubscriptionDto;
export type Period = NewSubscription['billingPeriod'];
/** The part of a query hook's result that the payment screens use. */
export interface Loaded<Data> {
  data?: Data;
  error?: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** The paid plan. It is loaded again whenever a screen opens, since the portal and renewals change it without this app. */
export const usePlanStatus = () => client.useSubscriptionStatusQuery(undefined, { refetchOnMountOrArgChange: true });

/** Loads the plan and the account again, after a payment or a visit to the portal. */
export function useRefreshPlan(): () => void {
  const dispatch = useDispatch();
  return useCallback(() => void dispatch(client.util.invalidateTags(['Plan', 'Me'])), [dispatch]);
}
