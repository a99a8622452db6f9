import type { DriverContract } from 'flydrive/types';
import type { StorageSettings } from '../config/settings.js';

/** The driver for the configured storage. The large S3 client is only loaded if it is used. */
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
    // Not all servers that speak S3 support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    visibility: 'private',
    supportsACL: false,
  });
}
