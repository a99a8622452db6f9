import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { BILLING_MODES, type BillingMode } from '../../../shared/config/settings.js';
import { BILLING_INTERVALS, type BillingInterval } from '../billing.entities.js';

export const BILLING_PERIODS = ['monthly', 'yearly'] as const;
export type BillingPeriod = (typeof BILLING_PERIODS)[number];

/** The plan to buy. */
export class CreateSubscriptionDto {
  /**
   * The price's id, from GET /api/billing/plans
   * @example "price_pro_yearly"
   */
  @IsString()
  @IsNotEmpty()
  @MaxLength(255)
  priceId: string;

  /**
   * Billing interval; must match the price
   * @example "yearly"
   */
  @ApiProperty({ enum: BILLING_PERIODS })
  @IsIn(BILLING_PERIODS)
  billingPeriod: BillingPeriod;
}

/** Result of starting a purchase: what remains to be paid. */
export class CreatedDto {
  /**
   * incomplete or past_due: pay with the secret; active: a plan exists already
   * @example "incomplete"
   */
  status: string;

  /**
   * Secret with which the browser pays; absent if nothing is due
   * @example "pi_3Pabc_secret_def"
   */
  clientSecret?: string;
}

/** How to cancel the plan. */
export class CancelSubscriptionDto {
  /**
   * true: immediately; false: at the end of the paid period
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  immediately?: boolean;
}

/** The plan in force. */
export class PlanInForceDto {
  /**
   * Status at Stripe: active, trialing, past_due, unpaid or paused
   * @example "active"
   */
  status: string;

  /**
   * End of the paid period, epoch seconds
   * @example 1798761600
   */
  currentPeriodEnd: number;

  /**
   * Whether the plan ends with the paid period
   * @example false
   */
  cancelAtPeriodEnd: boolean;
}

/** What the account has bought and earned. */
export class SubscriptionStatusDto {
  /**
   * Whether the account has a plan in force
   * @example true
   */
  hasSubscription: boolean;

  /**
   * Number of months of Pro that referrals earned and that are not used yet, as a numeric string
   * @example "0"
   */
  referralCreditsMonths: string;

  /** The plan in force; null if there is none */
  @ApiProperty({ type: PlanInForceDto, nullable: true })
  subscription: PlanInForceDto | null;
}

/** Link to the billing portal. */
export class PortalDto {
  /**
   * URL of the portal, to which the browser is redirected
   * @example "https://billing.stripe.com/p/session/test_abc"
   */
  url: string;
}

/** A plan on offer. */
export class PlanDto {
  /**
   * pro_monthly or pro_yearly
   * @example "pro_yearly"
   */
  code: string;

  /**
   * The plan's name
   * @example "Pro"
   */
  name: string;

  /**
   * The price of one interval, US cents
   * @example 9600
   */
  priceCents: number;

  /**
   * Billing interval
   * @example "year"
   */
  @ApiProperty({ enum: BILLING_INTERVALS })
  billingInterval: BillingInterval;

  /**
   * The price's id at Stripe; null while billing is off
   * @example "price_pro_yearly"
   */
  @ApiProperty({ type: String, nullable: true })
  stripePriceId: string | null;

  /**
   * Features of the plan
   * @example ["Unlimited emails per day", "Custom email lists", "Email history tracking", "Priority support"]
   */
  features: string[];
}

/** Configuration for taking payments in the web app. */
export class StripeConfigDto {
  /**
   * live, test, demo (the simulator) or off
   * @example "demo"
   */
  @ApiProperty({ enum: BILLING_MODES })
  mode: BillingMode;

  /**
   * The browser's key for Stripe; null while billing is off
   * @example "pk_test_abc"
   */
  @ApiProperty({ type: String, nullable: true })
  publishableKey: string | null;
}

/** Acknowledgement of a Stripe event. */
export class ReceivedDto {
  /** Always true */
  received: boolean;
}
