import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsOptional, IsString, Matches, MaxLength, ValidateNested } from 'class-validator';
import { ReasonDto } from '../../shared/http/index.js';
import { PROVIDER_STATES, type ProviderState } from './email-provider.entity.js';
import { ProviderConfigDto } from './provider-config.dto.js';

/** An additional mail account. */
export class AddProviderDto extends ReasonDto {
  /**
   * Unique name of the account.
   * @example 'backup'
   */
  @MaxLength(100)
  @Matches(/\S/, { message: 'Name is required' })
  @IsString({ message: 'Name is required' })
  name: string;

  /**
   * Name of the setting that holds the account's secret: SMTP_URL_… (an SMTP URL) or SMTP_PASSWORD_….
   * @example 'SMTP_PASSWORD_BACKUP'
   */
  @Matches(/^SMTP_(URL|PASSWORD)_[A-Z0-9_]{1,60}$/, { message: 'Name a setting such as SMTP_PASSWORD_BACKUP' })
  apiKeyRef: string;

  /**
   * Whether the account may send immediately; default true.
   * @example false
   */
  @IsOptional()
  @IsBoolean()
  isActive?: boolean;

  /** Connection settings and limits. */
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

/** Changes to a mail account. */
export class ChangeProviderDto extends ReasonDto {
  /**
   * Whether the account may send.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isActive?: boolean;

  /**
   * true makes the account the default, which is tried first.
   * @example true
   */
  @IsOptional()
  @IsBoolean()
  isDefault?: boolean;

  /** Connection settings and limits; replaces the current config. */
  @IsOptional()
  @ValidateNested()
  @Type(() => ProviderConfigDto)
  config?: ProviderConfigDto;

  /**
   * The admin's own password; required if the config names another host, port, encryption or user.
   * @example 'correct horse battery'
   */
  @IsOptional()
  @MaxLength(256)
  @IsString()
  currentPassword?: string;
}

/** A setting that holds the secret of a mail account. The secret itself is never shown. */
export class MailSecretDto {
  /**
   * Name of the setting.
   * @example 'SMTP_PASSWORD_BACKUP'
   */
  name: string;

  /**
   * Whether the setting holds a complete SMTP URL (smtp://user:password@host), so that no host has to be named.
   * @example false
   */
  isAddress: boolean;

  /**
   * The server that the configuration binds a password to; omitted if there is none, in which case the password is
   * never sent.
   * @example 'smtp.example.com'
   */
  host?: string;
}

/** A mail account with its health, but without its secret. */
export class ProviderDto {
  /**
   * Id of the account.
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Name of the account.
   * @example 'smtp'
   */
  name: string;

  /**
   * Name of the setting that holds the account's secret.
   * @example 'SMTP_URL'
   */
  apiKeyRef: string;

  /**
   * Whether that setting exists and names a server.
   * @example true
   */
  isConfigured: boolean;

  /** Connection settings and limits. */
  config: ProviderConfigDto;

  /**
   * Whether the account is the default, which is tried first.
   * @example true
   */
  isDefault: boolean;

  /**
   * Whether the account may send.
   * @example true
   */
  isActive: boolean;

  /** unknown: not used yet; ok: the last message was accepted; failing: the server refused us or was unreachable. */
  @ApiProperty({ enum: PROVIDER_STATES, example: 'ok' })
  state: ProviderState;

  /** Time of the last accepted message. */
  @ApiProperty({ type: String, nullable: true, example: '2026-11-21T06:30:05.000Z' })
  lastOkAt: string | null;

  /** Time of the last failure. */
  @ApiProperty({ type: String, nullable: true, example: null })
  lastErrorAt: string | null;

  /** The last failure: the server's reply, or a fixed text for a host that an admin named. */
  @ApiProperty({ type: String, nullable: true, example: '535 5.7.8 Authentication failed' })
  lastError: string | null;

  /** Until this time, other accounts are preferred; null: the account is not held back. */
  @ApiProperty({ type: String, nullable: true, example: null })
  heldUntil: string | null;
}

/** Recipient of a test mail. */
export class TestProviderDto {
  /**
   * Recipient address of the test mail.
   * @example 'admin@example.com'
   */
  @MaxLength(254)
  @IsString({ message: 'Please enter a valid email address' })
  to: string;
}

/** Result of a test mail. */
export class ProviderTestDto {
  /**
   * Whether the server accepted the test mail.
   * @example true
   */
  ok: boolean;

  /**
   * The server's reply if it accepted the mail; a failure always has the same text.
   * @example '250 2.0.0 Ok: queued'
   */
  answer: string;
}
