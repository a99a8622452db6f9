import type { DriverContract } from 'flydrive/types';
import type { StorageSettings } from '../config/settings.js';

/** The driver of a medium. S3's client is large: it is loaded only where it is used. */
export async function driverOf(settings: StorageSettings): Promise<DriverContract> {
  if (settings.kind === 'folder') {
    const { FSDriver } = await import('flydrive/drivers/fs');
    return new FSDriver({ location: settings.folder, visibility: 'private' });
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
