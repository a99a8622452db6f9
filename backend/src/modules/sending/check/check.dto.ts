import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, ValidateIf } from 'class-validator';
import {
  CHECK_FIXES,
  CHECK_LEVELS,
  CHECK_PARTS,
  type CheckFix,
  type CheckLevel,
  type CheckPart,
} from '../../composing/index.js';
import { namesLists, PreviewSendDto } from '../send.dto.js';

/** A composition that may be unfinished. */
export class CheckSendDto extends PreviewSendDto {
  /**
   * Ids of the chosen lists, at most 1000. Without lists and segments, the check reports that they are missing.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ApiProperty({ type: [String], required: false })
  @ValidateIf(namesLists)
  @IsString({ each: true, message: 'Choose at least one email list' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsArray({ message: 'Choose at least one email list' })
  override emailListIds: string[];
}

/** Number of people whom a send does not reach for one reason. */
export class ForecastReasonDto {
  /**
   * Code of the reason
   * @example 'networkCap'
   */
  code: string;

  /**
   * Number of addresses
   * @example 150
   */
  count: number;

  /**
   * The reason as a text that follows the count, as in "150 at the network's daily cap"
   * @example "at the network's daily cap"
   */
  text: string;

  /**
   * The reason as a sentence
   * @example 'Members of the shared network get at most 3 emails a day from all senders together. It counts as of now.'
   */
  explanation: string;
}

/** Whom a send would reach now. Each address counts only once. */
export class ForecastDto {
  /**
   * Number of addresses that the choice names: those that the send reaches, plus those that each reason leaves out
   * @example 1040
   */
  total: number;

  /**
   * Number of addresses that would get the message
   * @example 812
   */
  reaches: number;

  /** Reasons why the other addresses do not get the message, in the order in which they are applied. */
  @ApiProperty({ type: [ForecastReasonDto] })
  reasons: ForecastReasonDto[];
}

/** Position of a finding. */
export class CheckPlaceDto {
  /** Part of the composition in which the finding is. */
  @ApiProperty({ enum: CHECK_PARTS, example: 'content' })
  part: CheckPart;

  /**
   * Index of the first character. In a document, its texts are counted in reading order. A merge tag counts as it is
   * typed; a line break and the end of a paragraph count as one character each
   * @example 120
   */
  from: number;

  /**
   * Index after the last character
   * @example 143
   */
  to: number;
}

/** A finding, or a check that found nothing. */
export class CheckItemDto {
  /**
   * Code of the check
   * @example 'link_http'
   */
  code: string;

  /**
   * error: the server would refuse the send; warning and hint: the send is possible, but something may be wrong;
   * passed: the check found nothing.
   */
  @ApiProperty({ enum: CHECK_LEVELS, example: 'warning' })
  level: CheckLevel;

  /**
   * What was found, in a sentence
   * @example 'A link is not encrypted (http).'
   */
  text: string;

  /**
   * Words in the message that the finding is about
   * @example ['http://jobs.acme.example/java']
   */
  words?: string[];

  /** Position of the first words that the finding is about. */
  @ApiProperty({ type: CheckPlaceDto, required: false })
  where?: CheckPlaceDto;

  /** Fix that a screen can offer. */
  @ApiProperty({ enum: CHECK_FIXES, required: false, example: 'useHttps' })
  fix?: CheckFix;
}

export const LINK_STATES = ['done', 'checking', 'unavailable'] as const;

/** Progress of looking up the hosts of the message's links. */
export class LinkCheckDto {
  /**
   * done: every host was looked up; checking: some are still being looked up, so call again later; unavailable: this
   * installation looks up no hosts.
   */
  @ApiProperty({ enum: LINK_STATES, example: 'checking' })
  state: (typeof LINK_STATES)[number];

  /**
   * Number of hosts that are still being looked up
   * @example 4
   */
  open: number;
}

/** Result of the check before a send: findings, and the recipients whom the send would reach now. */
export class SendCheckDto {
  /** Whom the send would reach; null if they could not be counted in time. */
  @ApiProperty({ type: ForecastDto, nullable: true })
  forecast: ForecastDto | null;

  /** Results of the checks, errors first. */
  @ApiProperty({ type: [CheckItemDto] })
  items: CheckItemDto[];

  /** Progress of looking up the hosts of the message's links. */
  @ApiProperty({ type: LinkCheckDto })
  links: LinkCheckDto;

  /**
   * When the check was made
   * @example '2026-11-27T10:00:00.000Z'
   */
  checkedAt: string;
}
