import { describe, expect, it } from '@jest/globals';
import type { Settings } from '../../shared/config/settings.js';
import { AttachmentGuard } from './attachment-guard.service.js';
import { KB, MB } from '../../shared/text/bytes.js';

const guard = new AttachmentGuard({ attachmentMaxMb: 2, attachmentBudgetMb: 1_000 } as Settings);
const refusal = (bytes: number, recipients: number): string | null => {
  try {
    guard.assert(bytes, recipients);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};

describe('the guard of attached files', () => {
  it.each([
    [2 * MB, 500, null],
    [2 * MB, 501, 'Attached files: up to 2 MB in all, and 500 recipients at this size. Use links.'],
    [2 * MB + 1, 1, 'Attached files: up to 2 MB in all. Use links.'],
    [256 * KB, 4_000, null],
    [256 * KB, 4_001, 'Attached files: up to 2 MB in all, and 4,000 recipients at this size. Use links.'],
    [0, 10_000_000, null],
    [2 * MB, 0, null],
  ])('with %i bytes to %i people says %s', (bytes, recipients, text) => {
    expect(refusal(bytes, recipients)).toBe(text);
  });

  it('names as many bytes for an audience as it lets pass', () => {
    for (const recipients of [0, 1, 500, 501, 3_333, 1_000_000]) {
      const most = guard.mostBytes(recipients);
      expect(refusal(most, recipients)).toBeNull();
      expect(refusal(most + 1, recipients)).not.toBeNull();
    }
  });
});
