import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { RequiredNote } from './required-note.js';
import { TIMELINE_KINDS, type TimelineKind } from './timeline.registry.js';

/** Filter and page of a timeline. */
export class TimelineQuery {
  /** Cursor, from the Link header of the previous page */
  @IsOptional()
  @MaxLength(500)
  @IsString()
  cursor?: string;

  /** Only entries of this kind */
  @ApiPropertyOptional({ enum: TIMELINE_KINDS, example: 'consent' })
  @IsOptional()
  @IsIn(TIMELINE_KINDS)
  kind?: TimelineKind;
}

/** One entry of a person's timeline. */
export class TimelineEntryDto {
  /**
   * When it happened
   * @example '2026-11-20T09:30:00.000Z'
   */
  at: string;

  /** Category of the entry */
  @ApiProperty({ enum: [...TIMELINE_KINDS, 'profile'], example: 'consent' })
  kind: TimelineKind | 'profile';

  /**
   * What happened, as text
   * @example 'Confirmed by the link in the mail'
   */
  title: string;

  /**
   * Details, shown when the entry is expanded: for example IP address and browser of a confirmation, or a note's text
   * and id
   */
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, example: { ip: '203.0.113.7' } })
  detail: Record<string, unknown> | null;

  /**
   * Id of the send that the entry links to
   * @example '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d'
   */
  sendId?: string;

  /**
   * Id of the list that the entry links to
   * @example '9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  listId?: string;
}

/** A new note. */
export class CreateNoteDto {
  /**
   * Text of the note, up to 5,000 characters
   * @example 'Wants rates first. Call on Tuesdays.'
   */
  @RequiredNote()
  body: string;
}

/** A note. */
export class ContactNoteDto {
  /**
   * Id of the note
   * @example '5a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d'
   */
  id: string;

  /**
   * Text of the note
   * @example 'Wants rates first. Call on Tuesdays.'
   */
  body: string;

  /**
   * When the note was written
   * @example '2026-11-20T09:30:00.000Z'
   */
  createdAt: string;
}
