import { describe, expect, it } from '@jest/globals';
import type { RichNode } from '../../ui/editor/document';
import { openStored } from './drafts/opened-draft';
import { previewArgs } from './api';
import { emptyDraft, isSameComposition } from './draft';
import { EMPTY_JOB } from './requirement/job-values';

const text = (...marks: string[]): RichNode => ({ type: 'text', text: 'x', marks: marks.map((type) => ({ type })) });
const document = (content: RichNode[]) => ({ type: 'doc' as const, version: 1 as const, content });
const draft = (content: RichNode[]) => ({ ...emptyDraft('job-post'), document: document(content) });

/** The document as the editor produces it, and as the server returns it. */
const written = [
  { type: 'paragraph', content: [text('bold', 'italic')] },
  { type: 'tableCell', content: [{ type: 'mergeTag', attrs: { tag: 'company', fallback: null } }] },
];
const stored = [
  { type: 'paragraph', attrs: { textAlign: 'left' }, content: [text('italic', 'bold')] },
  {
    type: 'tableCell',
    attrs: { colspan: 1, rowspan: 1, tint: null },
    content: [{ type: 'mergeTag', attrs: { fallback: null, tag: 'company' } }],
  },
];

describe('two versions of a draft', () => {
  it('are equal where one omits default values', () => {
    expect(isSameComposition(draft(written), draft(stored))).toBe(true);
  });

  it.each([
    [{ type: 'paragraph', attrs: { textAlign: 'center' }, content: [text('bold', 'italic')] }],
    [{ type: 'paragraph', content: [text('bold')] }],
    [{ type: 'heading', attrs: { level: 1 }, content: [text('bold', 'italic')] }],
  ])('differ by %j', (first) => {
    expect(isSameComposition(draft([first, ...written.slice(1)]), draft(stored))).toBe(false);
  });
});

it('a draft whose last save got no answer is not in conflict with itself', () => {
  const { key: _key, ...parts } = draft(stored);
  const saved = { id: 'd1', version: 2, updatedAt: '2026-01-05T10:42:00.000Z', device: 'Chrome, Linux' };
  const copy = { ...draft(written), draftId: 'd1', version: 1, by: 'this tab' };
  const opened = openStored({ saved, parts }, copy, { role: 'recruiter', isAdmin: false });
  expect([opened.state.name, opened.fromCopy]).toEqual(['saved', false]);
});

describe('the job of a draft', () => {
  const job = { ...EMPTY_JOB, title: 'Sr Java Developer', jobId: 'R-17' };
  it('is compared whatever the order of its details', () => {
    const { title, ...others } = job;
    const mine = { ...draft(written), job };
    expect(isSameComposition(mine, { ...mine, job: { ...others, title } })).toBe(true);
    expect(isSameComposition(mine, { ...mine, job: { ...job, title: 'QA Lead' } })).toBe(false);
    expect(isSameComposition(mine, { ...mine, job: null })).toBe(false);
    expect(isSameComposition({ ...mine, job: null }, { ...mine, job: undefined })).toBe(true);
  });

  it('goes along with a job post only', () => {
    expect(previewArgs({ ...draft(written), job }).previewSendDto).toHaveProperty('job', job);
    expect(previewArgs({ ...draft(written), job, emailType: 'candidate-list' }).previewSendDto).not.toHaveProperty(
      'job',
    );
    expect(previewArgs(draft(written)).previewSendDto).not.toHaveProperty('job');
  });
});
