import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsOptional, IsUUID } from 'class-validator';
import { PageQuery } from '../../../shared/http/index.js';
import { SUPPRESSION_REASONS, SUPPRESSION_SCOPES, type SuppressionReason, type SuppressionScope } from '../../../shared/words/suppression.js';
import { ATTESTATION_STATES, type AttestationState } from '../entities/contact-import.entity.js';
import { ContactDto } from './contact.dto.js';
import { EmailText, OptionalText } from './fields.js';

/** A contact as an admin sees it: with its list and that list's owner. */
export class OverseenContactDto extends ContactDto {
  /**
   * The list it is on
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  emailListId: string;

  /**
   * That list's name
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Whose list that is; null: the default list
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;
}

/** Which contacts of all lists are asked for. */
export class OverseenContactQuery extends PageQuery {
  /**
   * Only contacts of this list
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  @IsOptional()
  @IsUUID(undefined, { message: 'emailListId must be the id of a list' })
  emailListId?: string;

  /**
   * Only confirmed ones, or only pending ones
   * @example false
   */
  @IsOptional()
  @Transform(({ obj }: { obj: Record<string, unknown> }) => (obj['confirmed'] === 'true' ? true : obj['confirmed'] === 'false' ? false : obj['confirmed']))
  @IsBoolean()
  confirmed?: boolean;

  /**
   * Those who have left; they stand in no list's table
   * @example 'unsubscribed'
   */
  @IsOptional()
  @IsIn(['unsubscribed'])
  status?: 'unsubscribed';
}

/** Whether a contact counts as confirmed from now on. */
export class ConfirmContactDto {
  /**
   * true confirms, false sets it back to Pending
   * @example true
   */
  @IsBoolean({ message: 'confirmed must be true or false' })
  confirmed: boolean;

  /**
   * Why, for the record
   * @example 'Confirmed by phone'
   */
  @OptionalText(300)
  reason?: string | null;
}

/** A list as an admin finds it. */
export class OverseenListDto {
  /**
   * Its id
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Its name
   * @example 'Java vendors'
   */
  name: string;

  /**
   * Whose it is; null: the default list
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;

  /**
   * Pending and confirmed contacts
   * @example 412
   */
  contactCount: number;

  /**
   * Whether it is the network that everybody may send to
   * @example false
   */
  isDefault: boolean;
}

/** A contact of an attested batch, as a sample. */
export class SampleContactDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  email: string;

  /**
   * Name, where one was given
   * @example 'Sam Vendor'
   */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
}

/** An import whose owner vouches for its contacts (decisions.md D46). */
export class AttestedBatchDto {
  /**
   * The import
   * @example '4f0c7c70-4a0d-4b7e-b6a3-0f6f3b6f2f10'
   */
  id: string;

  /**
   * The list it went into
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  listId: string;

  /**
   * That list's name
   * @example 'Java vendors'
   */
  listName: string;

  /**
   * Where and how these people agreed, in the owner's words
   * @example 'Clients of our agency since 2024, agreed by signed frame contract'
   */
  attestation: string;

  /**
   * Contacts that it brought
   * @example 990
   */
  total: number;

  /** The first few of them */
  sample: SampleContactDto[];

  /** Whether all of its file is read; before that nobody can decide */
  isComplete: boolean;

  /** Where it stands */
  @ApiProperty({ enum: ATTESTATION_STATES, example: 'waiting' })
  state: AttestationState;

  /**
   * When it came
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * When it was decided
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  decidedAt: string | null;
}

/** Which attested imports are asked for. */
export class AttestedBatchQuery extends PageQuery {
  /** Only those that stand so */
  @ApiProperty({ enum: ATTESTATION_STATES, required: false, example: 'waiting' })
  @IsOptional()
  @IsIn(ATTESTATION_STATES)
  state?: AttestationState;
}

/** An address that must not be mailed. */
export class SuppressionDto {
  /**
   * Its id
   * @example '0b4f2a62-5f0e-4f2e-9a43-5a5d0f3f8f10'
   */
  id: string;

  /**
   * The address; null once the person's data was erased
   * @example 'vendor@example.com'
   */
  @ApiProperty({ type: String, nullable: true })
  email: string | null;

  /** Why */
  @ApiProperty({ enum: SUPPRESSION_REASONS, example: 'bounced' })
  cause: SuppressionReason;

  /** How far: one owner's lists, the network for every sender, or all mail */
  @ApiProperty({ enum: SUPPRESSION_SCOPES, example: 'owner' })
  scope: SuppressionScope;

  /**
   * Whose lists, of scope owner; null where the account is gone
   * @example 'ann@acme-staffing.com'
   */
  @ApiProperty({ type: String, nullable: true })
  ownerEmail: string | null;

  /**
   * Since when
   * @example '2026-11-21T06:30:00.000Z'
   */
  createdAt: string;

  /**
   * Until when; null: for good
   * @example '2026-11-21T09:30:00.000Z'
   */
  @ApiProperty({ type: String, nullable: true })
  expiresAt: string | null;
}

/** Which suppressions are asked for; `search` looks into addresses, and finds a whole address even where only its hash is kept. */
export class SuppressionQuery extends PageQuery {
  /** Only those for this cause */
  @ApiProperty({ enum: SUPPRESSION_REASONS, required: false, example: 'bounced' })
  @IsOptional()
  @IsIn(SUPPRESSION_REASONS)
  cause?: SuppressionReason;

  /** Only those of this reach */
  @ApiProperty({ enum: SUPPRESSION_SCOPES, required: false, example: 'all' })
  @IsOptional()
  @IsIn(SUPPRESSION_SCOPES)
  scope?: SuppressionScope;
}

/** An address to be left alone. */
export class AddSuppressionDto {
  /**
   * The address
   * @example 'vendor@example.com'
   */
  @EmailText()
  email: string;

  /** For all mail, or for the network of every sender; all where left out */
  @ApiProperty({ enum: ['all', 'network'], required: false, example: 'all' })
  @IsOptional()
  @IsIn(['all', 'network'])
  scope?: 'all' | 'network';

  /** The person asked to be left alone, or complained; unsubscribed where left out */
  @ApiProperty({ enum: ['unsubscribed', 'complained'], required: false, example: 'unsubscribed' })
  @IsOptional()
  @IsIn(['unsubscribed', 'complained'])
  cause?: 'unsubscribed' | 'complained';

  /**
   * Why, for the record
   * @example 'Asked by phone'
   */
  @OptionalText(300)
  reason?: string | null;
}
