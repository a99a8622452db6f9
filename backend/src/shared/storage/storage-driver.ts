import type { DriverContract } from 'flydrive/types';
import type { StorageSettings } from '../config/settings.js';

/** Ms for a connection to a bucket. */
const CONNECT_MS = 5_000;
/**
 * Ms without a byte after which a request to a bucket fails. A bucket that goes silent would otherwise hold up a worker
 * for good, and readers who stop reading would use up the connections of the client.
 */
const SILENCE_MS = 30_000;

/**
 * The driver for the configured storage. The large S3 client is only loaded if it is used.
 * @param silenceMs as SILENCE_MS; tests shorten it
 */
export async function driverOf(settings: StorageSettings, silenceMs = SILENCE_MS): Promise<DriverContract> {
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
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: silenceMs },
    // Not all servers that speak S3 support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    visibility: 'private',
    supportsACL: false,
  });
}
