import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EnvReader } from './env-reader.js';
import { readClamd, readStorage } from './file-settings.js';

function read<T>(act: (reader: EnvReader) => T, env: Record<string, string>): { value: T; faults: string[] } {
  const reader = new EnvReader(env);
  const value = act(reader);
  return { value, faults: reader.faults };
}
const storageOf = (url?: string) => read((reader) => readStorage(reader, '/data'), url ? { STORAGE_URL: url } : {});

describe('STORAGE_URL', () => {
  it('names a folder', () => {
    expect(storageOf().value).toEqual({ kind: 'folder', folder: '/data/files' });
    expect(storageOf('file:/srv/files').value).toEqual({ kind: 'folder', folder: '/srv/files' });
    expect(storageOf('file:///srv/files').value).toEqual({ kind: 'folder', folder: '/srv/files' });
    expect(storageOf('file:files').value).toEqual({ kind: 'folder', folder: resolve('files') });
  });

  it('names a bucket, with its key and secret', () => {
    expect(storageOf('s3://KEY:se%2Fcret@s3.eu-west-1.example.com/resumes?region=eu-west-1').value).toEqual({
      kind: 's3',
      endpoint: 'https://s3.eu-west-1.example.com',
      bucket: 'resumes',
      region: 'eu-west-1',
      accessKeyId: 'KEY',
      secretAccessKey: 'se/cret',
    });
    expect(storageOf('s3://k:s@127.0.0.1:9000/resumes?tls=off').value).toMatchObject({
      endpoint: 'http://127.0.0.1:9000',
      region: 'us-east-1',
    });
  });

  it.each([
    'https://x.example/y',
    'file:',
    's3://host/bucket',
    's3://k:s@host',
    's3://k:s@host/a/b',
    's3://k:sSECRET@host/',
  ])('is refused where it is %s, and its secret not repeated', (url) => {
    const { faults } = storageOf(url);
    expect(faults).toHaveLength(1);
    expect(faults[0]).not.toContain('SECRET');
  });
});

describe('CLAMD_URL', () => {
  const clamdOf = (url: string) => read(readClamd, { CLAMD_URL: url });

  it('names a host, and a port where it is another', () => {
    expect(clamdOf('tcp://clamav').value).toEqual({ host: 'clamav', port: 3310 });
    expect(clamdOf('tcp://10.0.0.3:3311').value).toEqual({ host: '10.0.0.3', port: 3311 });
    expect(clamdOf('').value).toBeUndefined();
    expect(clamdOf('http://clamav').faults).toHaveLength(1);
  });
});
