import { ApiProperty } from '@nestjs/swagger';
import { RULE_KINDS, RULE_REASONS, type RuleKind, type RuleReason } from '../contacts.constants.js';

/** The do-not-send rule that covers a person. */
export class ProfileRuleDto {
  /**
   * Id of the rule
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /** Whether the rule is for the address or for a domain */
  @ApiProperty({ enum: RULE_KINDS, example: 'domain' })
  kind: RuleKind;

  /**
   * The address, or the domain
   * @example 'client.example'
   */
  value: string;

  /** Reason for the rule */
  @ApiProperty({ enum: RULE_REASONS, example: 'end_client' })
  reason: RuleReason;

  /** Note of the rule */
  @ApiProperty({ type: String, nullable: true, example: null })
  note: string | null;

  /**
   * When the rule was added
   * @example '2026-11-23T10:07:00.000Z'
   */
  since: string;

  /** When the rule ends; null means never */
  @ApiProperty({ type: String, nullable: true, example: null })
  until: string | null;
}
