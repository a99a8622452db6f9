export const PROCESS_ROLES = ['web', 'worker', 'bounces', 'all'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const BILLING_MODES = ['live', 'test', 'demo', 'off'] as const;
export type BillingMode = (typeof BILLING_MODES)[number];

/** A key that signs outgoing mail. */
export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: string;
}

/** A mail server as the operator names it. */
export interface MailHost {
  host: string;
  /** None: one of the ports of mail, as the account says. */
  port?: number;
}

/** Every setting of contract.md, read and checked once by readSettings. Injected by class; nothing else reads process.env. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Public address, without a slash at the end. */
  readonly appUrl: string;
  readonly dataDir: string;
  /** Which parts `npm start` brought up itself: postgres, redis, mailbox, stripe. */
  readonly embedded: ReadonlySet<string>;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Key prefix of everything this process keeps in Redis. */
  readonly redisPrefix: string;
  readonly smtpUrl: string;
  /** Secrets of further SMTP accounts by the name of their setting (SMTP_URL_BACKUP, SMTP_PASSWORD_BACKUP): what `apiKeyRef` of `email_providers` names. */
  readonly mailSecrets: ReadonlyMap<string, string>;
  /** The one server that a password of SMTP_PASSWORD_… may be sent to, by that setting's name; from SMTP_HOST_…. */
  readonly mailHosts: ReadonlyMap<string, MailHost>;
  readonly mailboxUrl?: string;
  readonly mailFrom: string;
  /** Domain of MAIL_FROM: right side of Message-ID and List-Id. */
  readonly mailDomain: string;
  readonly bounceDomain?: string;
  readonly bouncePort?: number;
  readonly inboundSecret?: string;
  readonly postalAddress: string;
  readonly dkim?: DkimKey;
  readonly jwtSecret: string;
  /** The other secret while JWT_SECRET is being replaced: what was made under it is still accepted. */
  readonly jwtSecretPrevious?: string;
  readonly stripe: Readonly<Record<'secretKey' | 'publishableKey' | 'webhookSecret' | 'priceMonthly' | 'priceYearly' | 'apiUrl', string | undefined>>;
  readonly stripeAutomaticTax: boolean;
  readonly freeDailyLimit: number;
  readonly freeListLimit?: number;
  readonly freeContactLimit?: number;
  /** Mails to strangers (confirmation mails, invites) that a new account may cause a day. */
  readonly freeOutreachBudget: number;
  readonly proOutreachBudget: number;
  /** Megabytes of files that an account may import a day. */
  readonly importDailyMb: number;
  readonly demoData: boolean;
  /** Of the demo account; empty where there is none. */
  readonly demoPassword: string;
  readonly metricsToken?: string;
  readonly role: ProcessRole;
  /** Messages a second over all workers; 0: no limit. */
  readonly sendRate: number;
  readonly networkDailyCap: number;
  /** Days after registration from which a Free account may send to the network. */
  readonly networkMinAccountDays: number;
  /** Hops of load balancer to trust for client addresses. */
  readonly trustProxy: number;
  readonly rateLimits: boolean;
  readonly linkGuardSeconds: number;
  /** Pauses between tries of a message, in seconds; the last repeats. */
  readonly retrySchedule: readonly number[];
  /** Seconds after which a message is given up. */
  readonly retryGiveUp: number;
  readonly logLevel: string;
  /** Where a worker answers health and metrics; none: it has no port. */
  readonly workerPort?: number;
  /** Seconds between SIGTERM and the end of listening, for the load balancer to notice. */
  readonly drainSeconds: number;
  /** Seconds after SIGTERM at which the process ends whatever is under way; leases make up for it. */
  readonly graceSeconds: number;
  /** Where traces go (OTLP over HTTP); none: nothing is traced. */
  readonly tracesUrl?: string;
  /** Days that are kept; see the README's data care. */
  readonly retention: Readonly<Record<'deliveryLogs' | 'audit' | 'imports' | 'systemMail', number>>;

  constructor(values: { [K in keyof Settings]: Settings[K] }) {
    Object.assign(this, values);
  }

  /** What billing speaks to: Stripe for real, its test mode, the simulator that `npm start` brought up, or nothing. */
  get billingMode(): BillingMode {
    if (!this.stripe.secretKey) return 'off';
    if (this.embedded.has('stripe')) return 'demo';
    return /^[rs]k_live_/.test(this.stripe.secretKey) ? 'live' : 'test';
  }

  get secureCookies(): boolean {
    return this.appUrl.startsWith('https:');
  }

  get runsWeb(): boolean {
    return this.role === 'web' || this.role === 'all';
  }

  get runsWorker(): boolean {
    return this.role === 'worker' || this.role === 'all';
  }

  /** Whether it listens for bounces where BOUNCE_PORT is set: a worker does, and a process for that alone. */
  get takesBounces(): boolean {
    return this.role !== 'web';
  }
}
