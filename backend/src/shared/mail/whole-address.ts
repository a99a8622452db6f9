const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Pattern that finds all places of a normalised address in a text, and no longer address that it is a part of. */
export const wholeAddress = (norm: string): RegExp =>
  new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped(norm)}(?![\\w-]|\\.\\w)`, 'gi');
