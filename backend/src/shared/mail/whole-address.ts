const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

/** Pattern that finds a normalised address in a text, but not as a part of a longer address. */
export const wholeAddress = (norm: string): RegExp =>
  new RegExp(`(?<![\\w.!#$%&'*+/=?^\`{|}~-])${escaped(norm)}(?![\\w-]|\\.\\w)`, 'gi');
