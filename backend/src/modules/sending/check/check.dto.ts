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
   * Ids of the chosen lists, at most 1000; without any, and without segments, the check says that they are missing.
   * @example ['9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d']
   */
  @ApiProperty({ type: [String], required: false })
  @ValidateIf(namesLists)
  @IsString({ each: true, message: 'Choose at least one email list' })
  @ArrayMaxSize(1000, { message: 'At most 1000 email lists can be chosen' })
  @IsArray({ message: 'Choose at least one email list' })
  override emailListIds: string[];
}

/** People that a send does not reach, for one reason. */
export class ForecastReasonDto {
  /**
   * The reason
   * @example 'networkCap'
   */
  code: string;

  /**
   * Addresses
   * @example 150
   */
  count: number;

  /**
   * The reason as text that continues the count, as in "150 at the network's daily cap"
   * @example "at the network's daily cap"
   */
  text: string;

  /**
   * The reason in a sentence
   * @example 'Members of the shared network get at most 3 emails a day from all senders together. It counts as of now.'
   */
  explanation: string;
}

/** Whom a send would reach now. Each address counts once. */
export class ForecastDto {
  /**
   * Addresses that the choice names: those reached, and those of every reason
   * @example 1040
   */
  total: number;

  /**
   * Addresses that get the message
   * @example 812
   */
  reaches: number;

  /** Why the other addresses do not get it, in the order in which the reasons are applied. */
  @ApiProperty({ type: [ForecastReasonDto] })
  reasons: ForecastReasonDto[];
}

/** Place of a finding. */
export class CheckPlaceDto {
  /** Part of the composition. */
  @ApiProperty({ enum: CHECK_PARTS, example: 'content' })
  part: CheckPart;

  /**
   * Index of the first character. In a document, its texts are counted in reading order: a merge tag as it is typed, a
   * line break and the end of each paragraph as one character
   * @example 120
   */
  from: number;

  /**
   * The character after the last one
   * @example 143
   */
  to: number;
}

/** One finding, or one check without a finding. */
export class CheckItemDto {
  /**
   * Names the check
   * @example 'link_http'
   */
  code: string;

  /**
   * error: the server would refuse the send; warning and hint: the send is possible, but something may be wrong;
   * passed: nothing found.
   */
  @ApiProperty({ enum: CHECK_LEVELS, example: 'warning' })
  level: CheckLevel;

  /**
   * What was found, in a sentence
   * @example 'A link is not encrypted (http).'
   */
  text: string;

  /**
   * The words that the finding is about
   * @example ['http://jobs.acme.example/java']
   */
  words?: string[];

  /** The first place that the finding is about. */
  @ApiProperty({ type: CheckPlaceDto, required: false })
  where?: CheckPlaceDto;

  /** What a screen can offer to fix it. */
  @ApiProperty({ enum: CHECK_FIXES, required: false, example: 'useHttps' })
  fix?: CheckFix;
}

export const LINK_STATES = ['done', 'checking', 'unavailable'] as const;

/** Progress of the lookup of the message's links. */
export class LinkCheckDto {
  /** done: every host was looked up; checking: call again later; unavailable: this installation looks up no hosts. */
  @ApiProperty({ enum: LINK_STATES, example: 'checking' })
  state: (typeof LINK_STATES)[number];

  /**
   * Hosts that are still being looked up
   * @example 4
   */
  open: number;
}

/** Result of the check before a send: findings, and the recipients that the send would reach now. */
export class SendCheckDto {
  /** null: they could not be counted in time. */
  @ApiProperty({ type: ForecastDto, nullable: true })
  forecast: ForecastDto | null;

  /** Rows of the check, errors first. */
  @ApiProperty({ type: [CheckItemDto] })
  items: CheckItemDto[];

  /** Lookup of the message's links. */
  @ApiProperty({ type: LinkCheckDto })
  links: LinkCheckDto;

  /**
   * When it was checked
   * @example '2026-11-27T10:00:00.000Z'
   */
  checkedAt: string;
}
