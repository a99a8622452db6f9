import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsISO8601, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { SENDING_CLIENTS, type SendingClient } from '../../shared/enums.js';
import { ACCOUNT_KINDS, type AccountKind } from './provider-config.js';

/** Connection and limits of a mail account; absent connection settings come from its secret. */
export class ProviderConfigDto {
  /**
   * relay (default): a provider or relay host that accepts mail for all domains. direct: a mail server of our own that
   * delivers to the recipients' servers; it starts with low limits per mailbox provider.
   */
  @IsOptional()
  @IsIn(ACCOUNT_KINDS, { message: 'Kind must be relay or direct' })
  @ApiProperty({ enum: ACCOUNT_KINDS, required: false, example: 'relay' })
  kind?: AccountKind;

  /**
   * Host name of the SMTP server. Not needed if the configuration binds the secret to a server (SMTP_URL_…, or
   * SMTP_HOST_… next to SMTP_PASSWORD_…); any other host is then refused. Private addresses are refused.
   * @example 'smtp.example.com'
   */
  @IsOptional()
  @Matches(/^[A-Za-z0-9.:-]{1,253}$/, { message: 'Host must be a host name' })
  @IsString({ message: 'Host must be a host name' })
  host?: string;

  /**
   * Port: 25, 465, 587 or 2525, or the port that the configuration names; default 587, or 465 with `secure`.
   * @example 587
   */
  @IsOptional()
  @Max(65535)
  @Min(1)
  @IsInt({ message: 'Port must be a number' })
  port?: number;

  /**
   * true: TLS from the first byte (implicit TLS).
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  secure?: boolean;

  /**
   * Whether to refuse to send without STARTTLS. Always the case in production, where false is refused unless `secure`
   * is set.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  requireTLS?: boolean;

  /**
   * User name for signing in to the server; omitted: no sign-in. Requires a secret that the configuration binds to a
   * server.
   * @example 'staffcast'
   */
  @IsOptional()
  @MaxLength(200)
  @IsString()
  user?: string;

  /**
   * Maximum messages per second over all workers; omitted: no limit for this account.
   * @example 50
   */
  @IsOptional()
  @Max(10_000)
  @Min(1)
  @IsInt()
  messagesPerSecond?: number;

  /**
   * Maximum messages per day (UTC) over all workers; omitted: no limit for this account.
   * @example 50000
   */
  @IsOptional()
  @Max(100_000_000)
  @Min(1)
  @IsInt()
  messagesPerDay?: number;

  /**
   * Maximum connections that one worker opens.
   * @example 10
   */
  @IsOptional()
  @Max(200)
  @Min(1)
  @IsInt()
  connections?: number;

  /**
   * SMTP client that sends the mail. pipelined (default): our own client, which sends several times as many messages
   * per second. nodemailer: the plain library. Both send the same messages. A `client` parameter in the secret's URL
   * (SMTP_URL?client=nodemailer) takes precedence.
   */
  @IsOptional()
  @IsIn(SENDING_CLIENTS, { message: 'Client must be pipelined or nodemailer' })
  @ApiProperty({ enum: SENDING_CLIENTS, required: false, example: 'pipelined' })
  client?: SendingClient;

  /**
   * Messages after which a connection is closed and replaced; default: unlimited, 50 during warm-up.
   * @example 100
   */
  @IsOptional()
  @Max(100_000)
  @Min(1)
  @IsInt()
  messagesPerConnection?: number;

  /**
   * Messages per second to one mailbox provider or recipient domain, over all workers; default: no limit for a relay,
   * 10 for a direct account and during warm-up.
   * @example 10
   */
  @IsOptional()
  @Max(10_000)
  @Min(1)
  @IsInt()
  domainMessagesPerSecond?: number;

  /**
   * Concurrent messages to one mailbox provider or recipient domain, per worker; default: no limit for a relay, 5
   * (Yahoo 20, Microsoft 50) for a direct account and during warm-up.
   * @example 5
   */
  @IsOptional()
  @Max(200)
  @Min(1)
  @IsInt()
  domainConnections?: number;

  /**
   * First day of the warm-up (UTC), from which the daily quota grows. Default: no warm-up.
   * @example '2026-11-21'
   */
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'Warm-up must be a day such as 2026-11-21' })
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'Warm-up must be a day such as 2026-11-21' })
  warmUp?: string;
}

/** All config keys that the API knows. Other stored keys are kept but not shown. */
const KNOWN_KEYS = {
  kind: true,
  host: true,
  port: true,
  secure: true,
  requireTLS: true,
  user: true,
  messagesPerSecond: true,
  messagesPerDay: true,
  connections: true,
  client: true,
  messagesPerConnection: true,
  domainMessagesPerSecond: true,
  domainConnections: true,
  warmUp: true,
} satisfies Record<keyof ProviderConfigDto, true>;
export const CONFIG_KEYS = Object.keys(KNOWN_KEYS) as readonly (keyof ProviderConfigDto)[];
