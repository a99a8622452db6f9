/** Shown when folders were dropped. */
export const FOLDERS_REFUSED = 'Folders cannot be added. Choose the files in them.';

export interface Dropped {
  files: readonly File[];
  /** Whether there were folders. A browser lists them among the files, without their content. */
  hasFolders: boolean;
}

/** Reads what was dropped. Must be called while the event is handled, because the entries are gone afterwards. */
export function droppedFiles({ items, files }: Pick<DataTransfer, 'items' | 'files'>): Dropped {
  const given = [...(items ?? [])].filter(({ kind }) => kind === 'file');
  if (given.length === 0) return { files: [...files], hasFolders: false };
  const isFolder = (item: DataTransferItem) => item.webkitGetAsEntry?.()?.isDirectory === true;
  const found = given.flatMap((item) => {
    const file = isFolder(item) ? null : item.getAsFile();
    return file ? [file] : [];
  });
  return { files: found, hasFolders: given.some(isFolder) };
}
