import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import {
  SUPPRESSION_REASONS,
  SUPPRESSION_SCOPES,
  type SuppressionReason,
  type SuppressionScope,
} from '../../../shared/enums.js';
import { ATTESTATION_STATES, type AttestationState } from '../entities/contact-import.values.js';
import { ContactDto } from '../contacts/contact.dto.js';
import { EmailText, OptionalText } from '../../../shared/http/requests/text.decorators.js';

/** A contact as admins see it, with its list and that list's owner. */
export class AdminContactDto extends ContactDto {
  /**
   * Id of the contact's list
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  emailListId: string;

  /**
   * Name of the contact's list
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Address of the list's owner; null for the default list
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;
}

/** Filter of contacts over all lists. */
export class AdminContactQuery extends PageQuery {
  /**
   * Only contacts of this list
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'emailListId must be the id of a list' })
  emailListId?: string;

  /**
   * true: only confirmed contacts; false: only pending ones
   * @example false
   */
  @IsOptional()
  @Transform(({ obj }: { obj: Record<string, unknown> }) =>
    obj['confirmed'] === 'true' ? true : obj['confirmed'] === 'false' ? false : obj['confirmed'],
  )
  @IsBoolean()
  confirmed?: boolean;

  /**
   * Only contacts who unsubscribed or complained; a list's own table does not show them
   * @example 'unsubscribed'
   */
  @IsOptional()
  @IsIn(['unsubscribed'])
  status?: 'unsubscribed';
}

/** The contact's new confirmation state. */
export class ConfirmContactDto {
  /**
   * true confirms the contact, false sets it back to Pending
   * @example true
   */
  @IsBoolean({ message: 'confirmed must be true or false' })
  confirmed: boolean;

  /**
   * The reason, for the record
   * @example 'Confirmed by phone'
   */
  @OptionalText(300)
  reason?: string | null;
}

/** A list that an admin searched for. */
export class AdminListDto {
  /**
   * The list's id
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * The list's name
   * @example 'Java vendors'
   */
  name: string;

  /**
   * Address of the list's owner; null for the default list
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;

  /**
   * Number of pending and confirmed contacts
   * @example 412
   */
  contactCount: number;

  /**
   * Whether it is the default list (the shared network)
   * @example false
   */
  isDefault: boolean;
}

/** A sample contact of an attested import. */
export class SampleContactDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  email: string;

  /**
   * Name; null if none is given
   * @example 'Sam Vendor'
   */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

/** An attested import: its owner states that the people agreed. */
export class AttestedBatchDto {
  /**
   * The import's id
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * Id of the list that the import adds to
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  listId: string;

  /**
   * Name of that list
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * The owner's statement of where and how these people agreed
   * @example 'Clients of our agency since 2024, agreed by signed frame contract'
   */
  attestation: string;

  /**
   * Number of the import's contacts
   * @example 990
   */
  total: number;

  /** Some of the contacts */
  sample: SampleContactDto[];

  /** Whether the whole file has been read; a decision is possible only then */
  isComplete: boolean;

  /** State of the admin's decision */
  @ApiProperty({ enum: ATTESTATION_STATES, example: 'waiting' })
  state: AttestationState;

  /**
   * When the import was started
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * When an admin decided; null until then
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  decidedAt: string | null;
}

/** Filter of attested imports. */
export class AttestedBatchQuery extends PageQuery {
  /** Only imports in this state */
  @ApiProperty({ enum: ATTESTATION_STATES, required: false, example: 'waiting' })
  @IsOptional()
  @IsIn(ATTESTATION_STATES)
  state?: AttestationState;
}

/** A suppressed address. */
export class SuppressionDto {
  /**
   * The suppression's id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /**
   * The address; null once the person's data was erased
   * @example 'vendor@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** Why the address is suppressed */
  @ApiProperty({ enum: SUPPRESSION_REASONS, example: 'bounced' })
  cause: SuppressionReason;

  /** Scope: one owner's lists, the shared network, or all mail */
  @ApiProperty({ enum: SUPPRESSION_SCOPES, example: 'owner' })
  scope: SuppressionScope;

  /**
   * Address of the list owner, for scope `owner`; null for other scopes and for a deleted account
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;

  /**
   * When the suppression began
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * When the suppression ends; null if it never ends
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  expiresAt: string | null;
}

/**
 * Filter of suppressions. `search` finds stored addresses by any part of them, and an erased address, of which only the
 * hash is kept, only if it is given as a whole.
 */
export class SuppressionQuery extends PageQuery {
  /** Only suppressions with this reason */
  @ApiProperty({ enum: SUPPRESSION_REASONS, required: false, example: 'bounced' })
  @IsOptional()
  @IsIn(SUPPRESSION_REASONS)
  cause?: SuppressionReason;

  /** Only suppressions with this scope */
  @ApiProperty({ enum: SUPPRESSION_SCOPES, required: false, example: 'all' })
  @IsOptional()
  @IsIn(SUPPRESSION_SCOPES)
  scope?: SuppressionScope;
}

/** An address to suppress. */
export class AddSuppressionDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  @EmailText()
  email: string;

  /** `all` for all mail (the default), `network` for the shared network */
  @ApiProperty({ enum: ['all', 'network'], required: false, example: 'all' })
  @IsOptional()
  @IsIn(['all', 'network'])
  scope?: 'all' | 'network';

  /** Whether the person unsubscribed or complained; default unsubscribed */
  @ApiProperty({ enum: ['unsubscribed', 'complained'], required: false, example: 'unsubscribed' })
  @IsOptional()
  @IsIn(['unsubscribed', 'complained'])
  cause?: 'unsubscribed' | 'complained';

  /**
   * The reason, for the record
   * @example 'Asked by phone'
   */
  @OptionalText(300)
  reason?: string | null;
}
