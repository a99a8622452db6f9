import yauzl from 'yauzl';

/** The directory of an archive, read without unpacking anything. */
export interface ZipListing {
  names: Set<string>;
  isEncrypted: boolean;
}

const MAX_ZIP_ENTRIES = 2_000;
/** Maximum unpacked size of all entries together, in bytes. */
const MAX_UNPACKED_BYTES = 100 * 1024 * 1024;
const ENCRYPTED = 0x1;

/**
 * Lists the entries of a zip archive, with names in lower case.
 * @returns null if it is no zip archive, has more than 2,000 entries, or declares more than 100 MB unpacked
 */
export async function listZip(path: string): Promise<ZipListing | null> {
  const zip = await yauzl.openPromise(path, { autoClose: false, lazyEntries: true }).catch(() => null);
  if (!zip) return null;
  try {
    if (zip.entryCount > MAX_ZIP_ENTRIES) return null;
    const listing: ZipListing = { names: new Set(), isEncrypted: false };
    let bytes = 0;
    for await (const { fileName, uncompressedSize, generalPurposeBitFlag } of zip.eachEntry()) {
      bytes += uncompressedSize;
      if (bytes > MAX_UNPACKED_BYTES || listing.names.size >= MAX_ZIP_ENTRIES) return null;
      listing.names.add(fileName.toLowerCase());
      if (generalPurposeBitFlag & ENCRYPTED) listing.isEncrypted = true;
    }
    return listing;
  } catch {
    return null;
  } finally {
    zip.close();
  }
}
