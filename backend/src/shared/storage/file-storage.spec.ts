import { execFileSync } from 'node:child_process';
import { createWriteStream, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Disk } from 'flydrive';
import { until } from '../../../test/kit/until.js';
import type { Settings } from '../config/settings.js';
import { FileStorage } from './file-storage.js';

const folder = mkdtempSync(join(tmpdir(), 'staffcast-storage-'));
afterAll(() => rmSync(folder, { recursive: true }));
const KEY = 'documents/one';

describe('a file in a folder', () => {
  let storage: FileStorage;
  beforeEach(async () => {
    storage = new FileStorage({ storage: { kind: 'folder', folder: join(folder, 'files') } } as Settings);
    await storage.put(KEY, Buffer.from('the whole file'));
  });

  it('stays whole while the same bytes are stored once more, however far that gets', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const putting = storage.putFile(KEY, pipe, 14);
    const writer = createWriteStream(pipe);
    await new Promise((resolve) => writer.write('the ', resolve));
    const documents = join(folder, 'files', 'documents');
    await until(() => readdirSync(documents).some((name) => statSync(join(documents, name)).size === 4));
    expect(String(await storage.read(KEY))).toBe('the whole file');
    writer.end('whole file');
    await putting;
    expect(String(await storage.read(KEY))).toBe('the whole file');
    const keys: string[] = [];
    for await (const page of storage.keys('documents')) keys.push(...page);
    expect(keys).toEqual([KEY]);
  });

  it('that vanishes between the look and the opening is none, and ends no process', async () => {
    const exists = Disk.prototype.exists;
    Disk.prototype.exists = () => Promise.resolve(true);
    try {
      expect((await storage.stream('documents/vanished')) === null).toBe(true);
    } finally {
      Disk.prototype.exists = exists;
    }
    writeFileSync(join(folder, 'files', KEY), 'as it was');
    expect(String(await buffer((await storage.stream(KEY))!))).toBe('as it was');
  });
});
