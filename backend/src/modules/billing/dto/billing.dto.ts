import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsNotEmpty, IsOptional, IsString, MaxLength } from 'class-validator';
import { BILLING_MODES, type BillingMode } from '../../../shared/config/settings.js';
import { BILLING_INTERVALS, type BillingInterval } from '../entities/plan.entity.js';

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
   * How often it is paid; must fit the price
   * @example "yearly"
   */
  @ApiProperty({ enum: BILLING_PERIODS })
  @IsIn(BILLING_PERIODS)
  billingPeriod: BillingPeriod;
}

/** What there is to pay. */
export class CreatedDto {
  /**
   * incomplete or past_due: pay with the secret. active: there is a plan already
   * @example "incomplete"
   */
  status: string;

  /**
   * The secret with which the browser pays; absent where nothing is due
   * @example "pi_3Pabc_secret_def"
   */
  clientSecret?: string;
}

/** How to end the plan. */
export class CancelSubscriptionDto {
  /**
   * True: at once. False: with the period that is paid
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  immediately?: boolean;
}

/** A plan in force. */
export class PlanInForceDto {
  /**
   * Stripe's word: active, trialing, past_due, unpaid or paused
   * @example "active"
   */
  status: string;

  /**
   * When the period that is paid ends, epoch seconds
   * @example 1798761600
   */
  currentPeriodEnd: number;

  /**
   * Whether the plan ends then
   * @example false
   */
  cancelAtPeriodEnd: boolean;
}

/** What the account has bought and earned. */
export class SubscriptionStatusDto {
  /**
   * Whether there is a plan
   * @example true
   */
  hasSubscription: boolean;

  /**
   * Free months earned and not used up, a number in text
   * @example "0"
   */
  referralCreditsMonths: string;

  /** The plan; null: there is none */
  @ApiProperty({ type: PlanInForceDto, nullable: true })
  subscription: PlanInForceDto | null;
}

/** Where the billing portal opens. */
export class PortalDto {
  /**
   * The portal's address: the browser goes there
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
   * How often it is paid
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
   * What the plan brings
   * @example ["Unlimited emails per day", "Custom email lists", "Email history tracking", "Priority support"]
   */
  features: string[];
}

/** How the web app takes payments. */
export class StripeConfigDto {
  /**
   * live, test, demo (the simulator) or off
   * @example "demo"
   */
  @ApiProperty({ enum: BILLING_MODES })
  mode: BillingMode;

  /**
   * The key with which the browser speaks to Stripe; null while billing is off
   * @example "pk_test_abc"
   */
  @ApiProperty({ type: String, nullable: true })
  publishableKey: string | null;
}

/** Stripe's event was taken. */
export class ReceivedDto {
  /** Always true */
  received: boolean;
}
