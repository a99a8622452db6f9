import { formatCount, plural } from '../lib/format';

interface Allowance {
  plan: string;
  /** Sends per day; null for no limit. */
  dailyLimit: number | null;
  sentToday: number;
}

/** 'Free', 'Pro'. */
export const planLabel = (plan: string) => plan.charAt(0).toUpperCase() + plan.slice(1);

/** '0 of 1 sent today', '3 sent today, unlimited'. */
export function usageText({ sentToday, dailyLimit }: Allowance): string {
  return dailyLimit === null
    ? `${formatCount(sentToday)} sent today, unlimited`
    : `${formatCount(sentToday)} of ${formatCount(dailyLimit)} sent today`;
}

/** '1 send a day', 'Unlimited sends'. */
export const limitText = (dailyLimit: number | null) =>
  dailyLimit === null ? 'Unlimited sends' : `${plural(dailyLimit, 'send')} a day`;

/**
 * '2 months free from referrals'.
 * @returns null if no months are left
 */
export function creditText(months: string): string | null {
  return Number(months) > 0 ? `${plural(months, 'month')} free from referrals` : null;
}

/** Whether Upgrade to Pro is offered: on Free without a referral month left. */
export const mayUpgrade = (user: { entitlements: Allowance; referralCreditsMonths: string }) =>
  user.entitlements.plan === 'free' && !(Number(user.referralCreditsMonths) > 0);
