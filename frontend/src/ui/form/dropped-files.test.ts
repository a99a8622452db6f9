import { describe, expect, it } from '@jest/globals';
import { droppedFiles } from './dropped-files';

const file = new File(['x'], 'Java.pdf');
const item = (isDirectory: boolean, given: File | null) =>
  ({
    kind: 'file',
    webkitGetAsEntry: () => ({ isDirectory }),
    getAsFile: () => given,
  }) as unknown as DataTransferItem;
const dropped = (items: DataTransferItem[] | undefined, files: File[]) =>
  droppedFiles({ items, files } as unknown as DataTransfer);

describe('what is dropped', () => {
  it('is the files, without folders, which browsers list as files too', () => {
    const folder = new File([], 'Resumes');
    expect(dropped([item(true, folder), item(false, file)], [folder, file])).toEqual({
      files: [file],
      hasFolders: true,
    });
    expect(dropped([item(false, file)], [file])).toEqual({ files: [file], hasFolders: false });
  });

  it('is only files where the browser does not tell folders apart', () => {
    const unknown = { kind: 'file', getAsFile: () => file } as unknown as DataTransferItem;
    expect(dropped([unknown], [file])).toEqual({ files: [file], hasFolders: false });
    expect(dropped(undefined, [file])).toEqual({ files: [file], hasFolders: false });
  });

  it('is nothing where a text is dropped', () => {
    const text = { kind: 'string', getAsFile: () => null } as unknown as DataTransferItem;
    expect(dropped([text], [])).toEqual({ files: [], hasFolders: false });
  });
});
