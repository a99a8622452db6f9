export const PROCESS_ROLES = ['web', 'worker', 'bounces', 'all'] as const;
export type ProcessRole = (typeof PROCESS_ROLES)[number];

export const BILLING_MODES = ['live', 'test', 'demo', 'off'] as const;
/** How the hosts of links in messages are checked: by DNS, also by an HTTP request, or not at all. */
export const LINK_CHECKS = ['dns', 'http', 'off'] as const;
export type LinkCheckMode = (typeof LINK_CHECKS)[number];
/** Whether a sender without a business address may send; see docker/README.md, "Settings". */
export const SENDER_ADDRESS_RULES = ['required', 'advised'] as const;
export type SenderAddressRule = (typeof SENDER_ADDRESS_RULES)[number];
export type BillingMode = (typeof BILLING_MODES)[number];

/** Key that signs outgoing mail. */
export interface DkimKey {
  domain: string;
  selector: string;
  privateKey: string;
}

/** Where uploaded files are stored: in a folder that all processes share, or in a bucket that speaks S3. */
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

/** Address of clamd, which scans uploaded files. */
export interface ScannerHost {
  host: string;
  port: number;
}

/** Host and port of a mail server, as the operator configured it. */
export interface MailHost {
  host: string;
  /** Absent: the port that the mail account names. */
  port?: number;
}

/**
 * A value for every setting, read from the environment. An optional one is named too, as undefined, so that the compiler
 * finds one that readSettings leaves out or misspells.
 */
export type SettingsValues = {
  [K in keyof Required<Omit<Settings, DerivedSetting>>]: Settings[K];
};

/** Getters of Settings. */
type DerivedSetting = 'billingMode' | 'filesDir' | 'secureCookies' | 'runsWeb' | 'runsWorker' | 'takesBounces';

/** All settings, read and checked once by readSettings. Injected by class; no other code reads process.env. */
export class Settings {
  readonly production: boolean;
  readonly port: number;
  /** Public base URL without a trailing slash. */
  readonly appUrl: string;
  readonly dataDir: string;
  /** Where uploaded files are stored. */
  readonly storage: StorageSettings;
  /** The virus scanner of uploaded files; absent: they are not scanned. */
  readonly clamd?: ScannerHost;
  /** Megabytes of one uploaded file. */
  readonly maxUploadMb: number;
  /** Megabytes of files that an account may keep. */
  readonly freeStorageMb: number;
  readonly proStorageMb: number;
  /** Most megabytes of all files attached to one message. */
  readonly attachmentMaxMb: number;
  /** Most megabytes of the attached files of one send over all its recipients. */
  readonly attachmentBudgetMb: number;
  /** Services that `npm start` runs itself: postgres, redis, mailbox, stripe. */
  readonly embedded: ReadonlySet<string>;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** Prefix of every Redis key of this product. */
  readonly redisPrefix: string;
  readonly smtpUrl: string;
  /**
   * Secrets of additional mail accounts, keyed by setting name (SMTP_URL_BACKUP, SMTP_PASSWORD_BACKUP); `apiKeyRef` of
   * `email_providers` refers to these names.
   */
  readonly mailSecrets: ReadonlyMap<string, string>;
  /**
   * The only server that may receive the password of a SMTP_PASSWORD_… setting, keyed by that setting's name; read from
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
  /** Whether a sender without a business address may send. */
  readonly senderAddress: SenderAddressRule;
  /** How the pre-send check looks up the hosts of links: by their names, by a request to the host, or not at all. */
  readonly linkCheck: LinkCheckMode;
  readonly dkim?: DkimKey;
  readonly jwtSecret: string;
  /** Previous secret during a rotation of JWT_SECRET: values made with it are still accepted. */
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
  /** Scheduled sends that a Free account may have waiting. */
  readonly freeScheduledLimit: number;
  /** Minutes by which a scheduled send may be late; after that it is blocked. */
  readonly scheduleLateMinutes: number;
  /** Mails to strangers (confirmation mails, invites) that a new Free account may cause per day. */
  readonly freeOutreachBudget: number;
  readonly proOutreachBudget: number;
  /** Megabytes of files that an account may import per day. */
  readonly importDailyMb: number;
  /** Whether the domains of imported addresses are looked up in DNS. */
  readonly importMxCheck: boolean;
  readonly demoData: boolean;
  /** Password of the demo account; empty without a demo account. */
  readonly demoPassword: string;
  readonly metricsToken?: string;
  readonly role: ProcessRole;
  /** Messages per second over all workers; 0: no limit. */
  readonly sendRate: number;
  readonly networkDailyCap: number;
  /** Days after registration until a Free account may send to the default list. */
  readonly networkMinAccountDays: number;
  /** Number of trusted proxy hops in front of this process, for client addresses. */
  readonly trustProxy: number;
  readonly rateLimits: boolean;
  readonly linkGuardSeconds: number;
  /** Delays between attempts of a message, in seconds; the last one repeats. */
  readonly retrySchedule: readonly number[];
  /** Seconds after which a message is given up. */
  readonly retryGiveUp: number;
  readonly logLevel: string;
  /** Port of a worker's health and metrics endpoints; absent: none. */
  readonly workerPort?: number;
  /** Seconds between SIGTERM and closing the port, so that the load balancer notices. */
  readonly drainSeconds: number;
  /**
   * Seconds after SIGTERM at which the process exits even with work in progress; expired leases let other workers take
   * it over.
   */
  readonly graceSeconds: number;
  /** OTLP endpoint (HTTP) for traces; absent: tracing is off. */
  readonly tracesUrl?: string;
  /** Retention periods in days; docker/README.md lists them. */
  readonly retention: Readonly<Record<'deliveryLogs' | 'audit' | 'imports' | 'systemMail', number>>;

  constructor(values: SettingsValues) {
    Object.assign(this, values);
  }

  /** Where billing calls go: live Stripe, Stripe's test mode, the simulator of `npm start`, or nowhere. */
  get billingMode(): BillingMode {
    if (!this.stripe.secretKey) return 'off';
    if (this.embedded.has('stripe')) return 'demo';
    return /^[rs]k_live_/.test(this.stripe.secretKey) ? 'live' : 'test';
  }

  /** The folder of uploaded files; null where they are in a bucket. */
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

  /** Whether this process runs the bounce listener when BOUNCE_PORT is set: workers and ROLE=bounces do. */
  get takesBounces(): boolean {
    return this.role !== 'web';
  }
}
