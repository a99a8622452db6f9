import { asTyped, type TagPiece } from '../../../shared/merge-tags/pieces.js';
import { AppError } from '../../../shared/errors/app-error.js';

export const unknownMergeTag = (tag: string, suggestion: string | null) =>
  new AppError(
    'unknown_merge_tag',
    400,
    `Unknown merge tag: {{${tag}}}.${suggestion ? ` Did you mean {{${suggestion}}}?` : ''}`,
  );
export const tagInLink = (tag: TagPiece) =>
  new AppError('tag_in_link', 400, `A link cannot hold a merge tag: take ${asTyped(tag)} out of the address`);
export const emptySubject = (label: string) =>
  new AppError('validation_failed', 400, `Subject could be empty: give ${label} a fallback`);
export const tooManyTags = (most: number) =>
  new AppError('validation_failed', 400, `At most ${most} merge tags fit into one email`);
export const tooManyContactTags = (most: number) =>
  new AppError('validation_failed', 400, `At most ${most} different merge tags of a contact fit into one email`);
