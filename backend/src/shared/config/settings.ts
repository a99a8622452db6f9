export const PROCESS_ROLES = ['web', 'worker', 'bounces', 'all'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const BILLING_MODES = ['live', 'test', 'demo', 'off'] as const;
/** How the check before a send looks up the hosts of links: by DNS only, by DNS and an HTTP request, or not at all. */
export const LINK_CHECKS = ['dns', 'http', 'off'] as const;
export type LinkCheckMode = (typeof LINK_CHECKS)[number];
/** Whether a business address is required for sending, or only advised; see docker/README.md, "Settings". */
export const SENDER_ADDRESS_RULES = ['required', 'advised'] as const;
export type SenderAddressRule = (typeof SENDER_ADDRESS_RULES)[number];
export type BillingMode = (typeof BILLING_MODES)[number];

/** Key that signs outgoing mail. */
export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: string;
}

/** Where uploaded files are stored: in a folder that all processes share, or in an S3-compatible bucket. */
export type StorageSettings =
  | { kind: 'folder'; folder: string }
  | {
      kind: 's3';
      endpoint: string;
      bucket: string;
      region: string;
      accessKeyId: string;
      secretAccessKey: string;
    };

/** Host and port of clamd, which scans uploaded files. */
export interface ScannerHost {
  host: string;
  port: number;
}

/** Host and port of a mail server, as the operator configured it. */
export interface MailHost {
  host: string;
  /** Absent if the port of the mail account applies. */
  port?: number;
}

/**
 * A value for every setting. Optional settings must be named, too, as undefined, so that the compiler reports a setting
 * that readSettings leaves out or misspells.
 */
export type SettingsValues = {
  [K in keyof Required<Omit<Settings, DerivedSetting>>]: Settings[K];
};

/** Settings that are computed from others by getters. */
type DerivedSetting = 'billingMode' | 'filesDir' | 'secureCookies' | 'runsWeb' | 'runsWorker' | 'takesBounces';

/** All settings, read and checked once by readSettings. Inject this class instead of reading process.env. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Public base URL without a trailing slash. */
  readonly appUrl: string;
  readonly dataDir: string;
  /** Where uploaded files are stored. */
  readonly storage: StorageSettings;
  /** The virus scanner for uploaded files; absent if files are not scanned. */
  readonly clamd?: ScannerHost;
  /** Maximum size of one uploaded file, in megabytes. */
  readonly maxUploadMb: number;
  /** Storage for uploaded files of a Free account, in megabytes. */
  readonly freeStorageMb: number;
  readonly proStorageMb: number;
  /** Maximum total size of the files attached to one message, in megabytes. */
  readonly attachmentMaxMb: number;
  /** Maximum total size of the files attached to one send, over all of its recipients, in megabytes. */
  readonly attachmentBudgetMb: number;
  /** Services that `npm start` runs itself: postgres, redis, mailbox, stripe. */
  readonly embedded: ReadonlySet<string>;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Prefix of every Redis key of this product. */
  readonly redisPrefix: string;
  readonly smtpUrl: string;
  /**
   * Secrets of additional mail accounts, keyed by setting name (SMTP_URL_BACKUP, SMTP_PASSWORD_BACKUP). `apiKeyRef` of
   * an email provider is such a name.
   */
  readonly mailSecrets: ReadonlyMap<string, string>;
  /**
   * The only host that may receive the password of a SMTP_PASSWORD_… setting, keyed by that setting's name. Read from
   * SMTP_HOST_….
   */
  readonly mailHosts: ReadonlyMap<string, MailHost>;
  readonly mailboxUrl?: string;
  readonly mailFrom: string;
  /** Domain of MAIL_FROM; used in Message-ID and List-Id. */
  readonly mailDomain: string;
  readonly bounceDomain?: string;
  readonly bouncePort?: number;
  readonly inboundSecret?: string;
  readonly postalAddress: string;
  /** Whether a sender needs a business address. */
  readonly senderAddress: SenderAddressRule;
  /** How the check before a send looks up the hosts of links. */
  readonly linkCheck: LinkCheckMode;
  readonly dkim?: DkimKey;
  readonly jwtSecret: string;
  /** The previous JWT_SECRET during a rotation: values made with it are still accepted. */
  readonly jwtSecretPrevious?: string;
  readonly stripe: Readonly<
    Record<
      'secretKey' | 'publishableKey' | 'webhookSecret' | 'priceMonthly' | 'priceYearly' | 'apiUrl',
      string | undefined
    >
  >;
  readonly stripeAutomaticTax: boolean;
  readonly freeDailyLimit: number;
  readonly freeListLimit?: number;
  readonly freeContactLimit?: number;
  readonly freeSegmentLimit?: number;
  /** Maximum number of waiting scheduled sends of a Free account. */
  readonly freeScheduledLimit: number;
  /** Maximum delay of a scheduled send, in minutes; a send that is later is blocked. */
  readonly scheduleLateMinutes: number;
  /** Maximum number of mails to strangers (confirmation mails, invites) per day that a new Free account may cause. */
  readonly freeOutreachBudget: number;
  readonly proOutreachBudget: number;
  /** Megabytes that an account may import per day. */
  readonly importDailyMb: number;
  /** Whether imports look up the domains of their addresses in DNS. */
  readonly importMxCheck: boolean;
  readonly demoData: boolean;
  /** Password of the demo account; empty if there is none. */
  readonly demoPassword: string;
  readonly metricsToken?: string;
  readonly role: ProcessRole;
  /** Maximum number of messages per second over all workers; 0: no limit. */
  readonly sendRate: number;
  readonly networkDailyCap: number;
  /** Age in days at which a Free account may send to the default list. */
  readonly networkMinAccountDays: number;
  /** Number of trusted proxies in front of this process; needed to find the client's address. */
  readonly trustProxy: number;
  readonly rateLimits: boolean;
  readonly linkGuardSeconds: number;
  /** Delays between the attempts of a message, in seconds. The last delay repeats. */
  readonly retrySchedule: readonly number[];
  /** Age in seconds at which an undelivered message is given up. */
  readonly retryGiveUp: number;
  readonly logLevel: string;
  /** Port for health and metrics of a worker; absent if the worker opens no port. */
  readonly workerPort?: number;
  /** Seconds between SIGTERM and closing the port, in which the load balancer notices that the process stops. */
  readonly drainSeconds: number;
  /**
   * Seconds after SIGTERM at which the process exits even if work is in progress. Other workers take the work over once
   * its leases have expired.
   */
  readonly graceSeconds: number;
  /** OTLP endpoint (HTTP) for traces; absent if tracing is off. */
  readonly tracesUrl?: string;
  /** Retention periods in days; docker/README.md lists them. */
  readonly retention: Readonly<Record<'deliveryLogs' | 'audit' | 'imports' | 'systemMail', number>>;

  constructor(values: SettingsValues) {
    Object.assign(this, values);
  }

  /** Which Stripe is used: the live one, its test mode, the simulator of `npm start`, or none. */
  get billingMode(): BillingMode {
    if (!this.stripe.secretKey) return 'off';
    if (this.embedded.has('stripe')) return 'demo';
    return /^[rs]k_live_/.test(this.stripe.secretKey) ? 'live' : 'test';
  }

  /** The folder of uploaded files; null if they are in a bucket. */
  get filesDir(): string | null {
    return this.storage.kind === 'folder' ? this.storage.folder : null;
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

  /** Whether this process runs the bounce listener when BOUNCE_PORT is set: true for workers and for ROLE=bounces. */
  get takesBounces(): boolean {
    return this.role !== 'web';
  }
}
