/** What a paste inserted and what it left out. */
export interface PasteReport {
  lists: boolean;
  tables: boolean;
  /** Number of pictures that were left out; tracking pixels are not counted. */
  pictures: number;
  /** Pictures of the paste that the user may add. */
  offered: readonly Blob[];
  /** Whether colours, fonts or sizes were left out. */
  looks: boolean;
  /** The pasted text without formatting. */
  text: string;
  /** Merge tags of other tools in the text. */
  foreignTags: { written: string; tag: string }[];
}

export const noReport: PasteReport = {
  lists: false,
  tables: false,
  pictures: 0,
  offered: [],
  looks: false,
  text: '',
  foreignTags: [],
};

const joined = (words: string[]) =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;

/**
 * 'Pasted as text and tables. Left out: 1 picture, colours and fonts.'
 * @returns null if nothing was left out
 */
export function pasteNote({ lists, tables, pictures, looks }: PasteReport): string | null {
  if (pictures === 0 && !looks) return null;
  const kept = joined(['text', ...(lists ? ['lists'] : []), ...(tables ? ['tables'] : [])]);
  const left = [pictures > 0 && `${pictures} ${pictures === 1 ? 'picture' : 'pictures'}`, looks && 'colours and fonts'];
  return `Pasted as ${kept}. Left out: ${left.filter(Boolean).join(', ')}.`;
}
