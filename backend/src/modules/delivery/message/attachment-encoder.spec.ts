import { Readable } from 'node:stream';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { FileStorage } from '../../../shared/storage/file-storage.js';
import type { AttachedFile } from './attachment-tail.js';
import { AttachmentsLost, AttachmentsUnavailable, AttachmentEncoder } from './attachment-encoder.service.js';

const file = (byteSize = 1_000): AttachedFile[] => [
  { name: 'Resume.pdf', mediaType: 'application/pdf', byteSize, storageKey: String(byteSize) },
];

/** A storage whose keys are the sizes of its files. */
class Storage {
  reads = 0;
  state: 'there' | 'away' | 'empty' | 'cut off' = 'there';

  stream(key: string): Promise<Readable | null> {
    this.reads += 1;
    if (this.state === 'away') return Promise.reject(new Error('503'));
    const bytes = Number(key) - (this.state === 'cut off' ? 1 : 0);
    return Promise.resolve(this.state === 'empty' ? null : Readable.from([Buffer.alloc(bytes, 'x')]));
  }
}
const tailsOf = (storage: Storage) => new AttachmentEncoder(storage as unknown as FileStorage);
/** @param areLost decides whether the send gives up waiting for the files */
const listening = (areLost: (areMissing: boolean) => boolean = () => false) => {
  const told: unknown[] = [];
  const reading = {
    failed: (areMissing: boolean) => Promise.resolve((told.push(areMissing), areLost(areMissing))),
    succeeded: () => Promise.resolve(void told.push('read')),
  };
  return { reading, told };
};

describe('the tails of sends', () => {
  beforeAll(() => Logger.overrideLogger(false));

  it('are made once for callers at the same time and afterwards, and kept for two sends', async () => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    const [first, same] = await Promise.all([tails.of('a', () => file()), tails.of('a', () => file())]);
    expect(same).toBe(first);
    await tails.of('b', () => file());
    expect(await tails.of('a', () => file())).toBe(first);
    expect(storage.reads).toBe(2);
    await tails.of('c', () => file());
    expect(await tails.of('a', () => file())).toBe(first);
    await tails.of('b', () => file());
    expect(storage.reads).toBe(4);
  });

  it('are kept for one send where two are too large', async () => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    const large = 8 * 1024 * 1024;
    for (const id of ['a', 'b', 'b', 'a']) await tails.of(id, () => file(large));
    expect(storage.reads).toBe(3);
  });

  it.each([
    ['away', false],
    ['empty', true],
    ['cut off', true],
  ] as const)('tell that the storage was %s, and that the files were read afterwards', async (state, areMissing) => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    const { reading, told } = listening();
    storage.state = state;
    await expect(tails.of('a', () => file(), reading)).rejects.toThrow(AttachmentsUnavailable);
    storage.state = 'there';
    await tails.of('a', () => file(), reading);
    expect(told).toEqual([areMissing, 'read']);
  });

  it('tell that the files are there when a cached one is used: another process may have missed them', async () => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    const { reading, told } = listening();
    for (let i = 0; i < 2; i++) await tails.of('a', () => file(), reading);
    expect([told, storage.reads]).toEqual([['read', 'read'], 1]);
  });

  it('are given up only by a read that finds no bytes', async () => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    const { reading } = listening((areMissing) => areMissing);
    storage.state = 'away';
    await expect(tails.of('a', () => file(), reading)).rejects.not.toThrow(AttachmentsLost);
    storage.state = 'empty';
    await expect(tails.of('a', () => file(), reading)).rejects.toThrow(AttachmentsLost);
    storage.state = 'there';
    expect((await tails.of('a', () => file(), reading)).length).toBeGreaterThan(1_000);
  });

  it.each(['away', 'empty', 'cut off'] as const)('are asked for again where the storage was %s', async (state) => {
    const storage = new Storage();
    const tails = tailsOf(storage);
    storage.state = state;
    const refused = [0, 1].map(() => tails.of('a', () => file()).catch((error: unknown) => error));
    for (const error of await Promise.all(refused)) expect(error).toBeInstanceOf(AttachmentsUnavailable);
    storage.state = 'there';
    expect((await tails.of('a', () => file())).length).toBeGreaterThan(1_000);
  });
});
