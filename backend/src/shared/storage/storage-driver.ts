import type { DriverContract } from 'flydrive/types';
import type { StorageSettings } from '../config/settings.js';

/** The driver of a medium. S3's client is large: it is loaded only where it is used. */
export async function driverOf(settings: StorageSettings): Promise<DriverContract> {
  if (settings.kind === 'folder') {
    const { FolderDriver } = await import('./folder-driver.js');
    return new FolderDriver(settings.folder);
  }
  const { S3Driver } = await import('flydrive/drivers/s3');
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = settings;
  return new S3Driver({
    endpoint,
    bucket,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    // Servers that speak S3 need not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    visibility: 'private',
    supportsACL: false,
  });
}
