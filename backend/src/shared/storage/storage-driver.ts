import type { DriverContract } from 'flydrive/types';
import type { StorageSettings } from '../config/settings.js';

/** Maximum time for connecting to a bucket, in milliseconds. */
const CONNECT_MS = 5_000;
/**
 * Time without a byte, in milliseconds, after which a request to a bucket fails. Otherwise a silent bucket would block
 * a worker for ever, and readers that stop reading would use up the client's connections.
 */
const SILENCE_MS = 30_000;

/**
 * Creates the driver for the configured storage. Loads the S3 client only if it is used, because it is large.
 * @param silenceMs see SILENCE_MS; tests shorten it
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
    // Some S3-compatible servers do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    visibility: 'private',
    supportsACL: false,
  });
}
