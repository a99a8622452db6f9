import { join, resolve } from 'node:path';
import type { EnvReader } from './env-reader.js';
import type { ScannerHost, StorageSettings } from './settings.js';

const CLAMD_PORT = 3310;

/**
 * Parses STORAGE_URL: either `file:` and a folder (absolute, or relative to the current folder), or
 * `s3://key:secret@host/bucket?region=…`, with `&tls=off` for a server without TLS. Faults never contain the value,
 * because it may hold a secret.
 */
export function readStorage(read: EnvReader, dataDir: string): StorageSettings {
  const given = read.text('STORAGE_URL');
  if (given === undefined) return { kind: 'folder', folder: join(dataDir, 'files') };
  if (given.startsWith('s3:')) return readBucket(read, given) ?? { kind: 'folder', folder: dataDir };
  const folder = /^file:(?:\/\/)?(.+)$/.exec(given)?.[1];
  if (folder === undefined)
    read.fault(
      'STORAGE_URL must be file: and a folder, such as file:/srv/staffcast/files, or s3://key:secret@host/bucket?region=us-east-1',
    );
  return { kind: 'folder', folder: resolve(folder ?? dataDir) };
}

function readBucket(read: EnvReader, given: string): StorageSettings | null {
  const url = URL.parse(given);
  const bucket = url?.pathname.slice(1) ?? '';
  if (!url?.host || !url.username || !url.password || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    read.fault('STORAGE_URL for S3 must be s3://key:secret@host/bucket?region=us-east-1, percent-encoded');
    return null;
  }
  const isPlain = url.searchParams.get('tls') === 'off';
  return {
    kind: 's3',
    endpoint: `${isPlain ? 'http' : 'https'}://${url.host}`,
    bucket,
    region: url.searchParams.get('region') ?? 'us-east-1',
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
  };
}

/** Parses CLAMD_URL: `tcp://host` or `tcp://host:port`. */
export function readClamd(read: EnvReader): ScannerHost | undefined {
  const url = URL.parse(read.url('CLAMD_URL', ['tcp:']) ?? '');
  if (!url) return undefined;
  if (!url.hostname) {
    read.fault('CLAMD_URL must name a host, such as tcp://clamav:3310');
    return undefined;
  }
  return { host: url.hostname, port: Number(url.port) || CLAMD_PORT };
}
