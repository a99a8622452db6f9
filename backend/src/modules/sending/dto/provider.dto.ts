import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsOptional, IsString, Matches, Max, MaxLength, Min, ValidateNested } from 'class-validator';
import { ReasonDto } from '../../../shared/http/index.js';
import { PROVIDER_STATES, type ProviderState } from '../entities/email-provider.entity.js';
import { ACCOUNT_KINDS, type AccountKind } from '../providers/provider-config.js';

/** How a mail account is reached; what is left out comes from its secret. */
export class ProviderConfigDto {
  /** relay (where left out): a provider or relay host that takes mail for all domains. direct: an own mail server that speaks to the recipients' servers; it starts with low limits per mailbox provider. */
  @IsOptional()
  @IsIn(ACCOUNT_KINDS, { message: 'Kind must be relay or direct' })
  @ApiProperty({ enum: ACCOUNT_KINDS, required: false, example: 'relay' })
  kind?: AccountKind;

  /**
   * Host name of the SMTP server. Not needed where the configuration binds the secret to a server (SMTP_URL_…, or SMTP_HOST_… beside
   * SMTP_PASSWORD_…); another one is then refused. Private addresses are refused.
   * @example 'smtp.example.com'
   */
  @IsOptional()
  @Matches(/^[A-Za-z0-9.:-]{1,253}$/, { message: 'Host must be a host name' })
  @IsString({ message: 'Host must be a host name' })
  host?: string;

  /**
   * Port: 25, 465, 587 or 2525, or the one that the configuration names; 587, or 465 with `secure`, where left out.
   * @example 587
   */
  @IsOptional()
  @Max(65535)
  @Min(1)
  @IsInt({ message: 'Port must be a number' })
  port?: number;

  /**
   * TLS from the first byte.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  secure?: boolean;

  /**
   * Refuse to send without STARTTLS; in production always, and false is refused.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  requireTLS?: boolean;

  /**
   * Name of the account at the server; left out: no sign-in. Needs a secret that the configuration binds to a server.
   * @example 'staffcast'
   */
  @IsOptional()
  @MaxLength(200)
  @IsString()
  user?: string;

  /**
   * Messages a second over all workers; left out: no limit of its own.
   * @example 50
   */
  @IsOptional()
  @Max(10_000)
  @Min(1)
  @IsInt()
  messagesPerSecond?: number;

  /**
   * Messages a day (UTC) over all workers; left out: no limit of its own.
   * @example 50000
   */
  @IsOptional()
  @Max(100_000_000)
  @Min(1)
  @IsInt()
  messagesPerDay?: number;

  /**
   * Connections that a worker may open.
   * @example 10
   */
  @IsOptional()
  @Max(200)
  @Min(1)
  @IsInt()
  connections?: number;

  /**
   * Messages after which a connection is closed and another opened; left out: as many as the server takes, 50 during a slow start.
   * @example 100
   */
  @IsOptional()
  @Max(100_000)
  @Min(1)
  @IsInt()
  messagesPerConnection?: number;

  /**
   * Messages a second to one mailbox provider or recipient domain, over all workers; left out: no limit for a relay, 10 for a direct account and during a slow start.
   * @example 10
   */
  @IsOptional()
  @Max(10_000)
  @Min(1)
  @IsInt()
  domainMessagesPerSecond?: number;

  /**
   * Messages on their way to one mailbox provider or recipient domain at a time, by each worker; left out: no limit for a relay, 5 (Yahoo 20, Microsoft 50) for a direct account and during a slow start.
   * @example 5
   */
  @IsOptional()
  @Max(200)
  @Min(1)
  @IsInt()
  domainConnections?: number;

  /**
   * First day of a slow start, in UTC: from then on a little more each day goes out by it. Left out: no slow start.
   * @example '2026-11-21'
   */
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'Warm-up must be a day such as 2026-11-21' })
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'Warm-up must be a day such as 2026-11-21' })
  warmUp?: string;
}

/** Every key of a config: those that are stored beside them are kept and not shown. */
const KNOWN_KEYS = {
  kind: true, host: true, port: true, secure: true, requireTLS: true, user: true, messagesPerSecond: true, messagesPerDay: true, connections: true, messagesPerConnection: true, domainMessagesPerSecond: true,
  domainConnections: true, warmUp: true,
} satisfies Record<keyof ProviderConfigDto, true>;
export const CONFIG_KEYS = Object.keys(KNOWN_KEYS) as readonly (keyof ProviderConfigDto)[];

/** A further mail account. */
export class AddProviderDto extends ReasonDto {
  /**
   * Its name among the others.
   * @example 'backup'
   */
  @MaxLength(100)
  @Matches(/\S/, { message: 'Name is required' })
  @IsString({ message: 'Name is required' })
  name: string;

  /**
   * Setting that holds its secret: SMTP_URL_… (a whole address) or SMTP_PASSWORD_….
   * @example 'SMTP_PASSWORD_BACKUP'
   */
  @Matches(/^SMTP_(URL|PASSWORD)_[A-Z0-9_]{1,60}$/, { message: 'Name a setting such as SMTP_PASSWORD_BACKUP' })
  apiKeyRef: string;

  /**
   * Whether mail may go out by it at once; true where left out.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isActive?: boolean;

  /** How it is reached. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ProviderConfigDto)
  config?: ProviderConfigDto;

  /**
   * The admin's own password; required.
   * @example 'correct horse battery'
   */
  @IsOptional()
  @MaxLength(256)
  @IsString()
  currentPassword?: string;
}

/** What to change of a mail account. */
export class ChangeProviderDto extends ReasonDto {
  /**
   * Whether mail may go out by it.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isActive?: boolean;

  /**
   * true makes it the one that is tried first.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean;

  /** How it is reached; replaces what was there. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ProviderConfigDto)
  config?: ProviderConfigDto;

  /**
   * The admin's own password; required where the config names another host, port, encryption or user.
   * @example 'correct horse battery'
   */
  @IsOptional()
  @MaxLength(256)
  @IsString()
  currentPassword?: string;
}

/** A setting that holds the secret of a mail account; the name alone. */
export class MailSecretDto {
  /**
   * Name of the setting.
   * @example 'SMTP_PASSWORD_BACKUP'
   */
  name: string;

  /**
   * Whether it holds a whole address (smtp://user:password@host), so that no host has to be named.
   * @example false
   */
  isAddress: boolean;

  /**
   * The server that the configuration binds a password to; left out: none, so that the password is sent nowhere.
   * @example 'smtp.example.com'
   */
  host?: string;
}

/** A mail account and how it fares; never its secret. */
export class ProviderDto {
  /**
   * Its id.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Its name.
   * @example 'smtp'
   */
  name: string;

  /**
   * Setting that holds its secret.
   * @example 'SMTP_URL'
   */
  apiKeyRef: string;

  /**
   * Whether that setting is there and names a server.
   * @example true
   */
  isConfigured: boolean;

  /** How it is reached. */
  config: ProviderConfigDto;

  /**
   * Tried first.
   * @example true
   */
  isDefault: boolean;

  /**
   * Whether mail may go out by it.
   * @example true
   */
  isActive: boolean;

  /** unknown: not used yet; ok: it took the last message; failing: it refused us or could not be reached. */
  @ApiProperty({ enum: PROVIDER_STATES, example: 'ok' })
  state: ProviderState;

  /** When it last took a message. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  lastOkAt: string | null;

  /** When it last failed. */
  @ApiProperty({ type: String, nullable: true, example: null })
  lastErrorAt: string | null;

  /** What it said then. */
  @ApiProperty({ type: String, nullable: true, example: '535 5.7.8 Authentication failed' })
  lastError: string | null;

  /** Until then others go first. */
  @ApiProperty({ type: String, nullable: true, example: null })
  heldUntil: string | null;
}

/** Where the test mail goes. */
export class TestProviderDto {
  /**
   * Address of the test mail.
   * @example 'admin@example.com'
   */
  @MaxLength(254)
  @IsString({ message: 'Please enter a valid email address' })
  to: string;
}

/** What became of a test mail. */
export class ProviderTestDto {
  /**
   * Whether the server took it.
   * @example true
   */
  ok: boolean;

  /**
   * The server's answer where it took the mail; the same words for every failure.
   * @example '250 2.0.0 Ok: queued'
   */
  answer: string;
}
