import { Transform } from 'class-transformer';

/** Cuts the blanks around a text; other types pass as they are, for the validator to refuse. */
export const Trim = () => Transform(({ value }) => (typeof value === 'string' ? value.trim() : value));

/** An optional text that is empty, blank or null counts as absent (decisions.md D32); others are trimmed. */
export const AbsentIfEmpty = () =>
  Transform(({ value }) => {
    if (value === null) return undefined;
    if (typeof value !== 'string') return value;
    return value.trim() === '' ? undefined : value.trim();
  });
