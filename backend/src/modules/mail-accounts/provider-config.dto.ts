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
   * Host name of the SMTP server. Not needed where the configuration binds the secret to a server (SMTP_URL_…, or
   * SMTP_HOST_… beside SMTP_PASSWORD_…); another one is then refused. Private addresses are refused.
   * @example 'smtp.example.com'
   */
  @IsOptional()
  @Matches(/^[A-Za-z0-9.:-]{1,253}$/, { message: 'Host must be a host name' })
  @IsString({ message: 'Host must be a host name' })
  host?: string;

  /**
   * Port: 25, 465, 587 or 2525, or the one that the configuration names; default 587, or 465 with `secure`.
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
   * Client that sends the mail. pipelined (default): the product's own, which sends several times as many messages a
   * second. nodemailer: the library alone. Both treat each message alike. A `client` parameter in the address of the
   * secret (SMTP_URL?client=nodemailer) takes precedence.
   */
  @IsOptional()
  @IsIn(SENDING_CLIENTS, { message: 'Client must be pipelined or nodemailer' })
  @ApiProperty({ enum: SENDING_CLIENTS, required: false, example: 'pipelined' })
  client?: SendingClient;

  /**
   * Messages after which a connection is closed and another opened; default: unlimited, 50 during warm-up.
   * @example 100
   */
  @IsOptional()
  @Max(100_000)
  @Min(1)
  @IsInt()
  messagesPerConnection?: number;

  /**
   * Messages a second to one mailbox provider or recipient domain, over all workers; default: no limit for a relay, 10
   * for a direct account and during warm-up.
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
   * First day of the warm-up, in UTC: the daily quota grows from then on. Default: no warm-up.
   * @example '2026-11-21'
   */
  @IsOptional()
  @IsISO8601({ strict: true }, { message: 'Warm-up must be a day such as 2026-11-21' })
  @Matches(/^\d{4}-\d{2}-\d{2}$/, { message: 'Warm-up must be a day such as 2026-11-21' })
  warmUp?: string;
}

/** All keys of a config that the API knows. Other stored keys are kept and not shown. */
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
