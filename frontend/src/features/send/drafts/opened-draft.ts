import { mayTypes } from '../../../lib/roles';
import type { ScheduledSendDto } from '../../../api/endpoints.gen';
import type { CurrentUser } from '../../../api/session';
import { draftOfScheduled, type OpenedScheduled } from '../api';
import { type StoredDraft } from './api';
import { changeDraft, emptyDraft, isStarted, isSameComposition, type Composition, type Draft } from '../draft';
import type { DraftCopy } from './draft-copy';
import type { SaveState } from './save-state';

/** The initial state of the wizard: the content to show, the stored draft, and whether a local copy is newer. */
export interface OpenedDraft {
  draft: Draft;
  stored: StoredDraft | null;
  /** Whether the content comes from a local copy that was not saved on the server. */
  fromCopy: boolean;
  state: SaveState;
  /** The scheduled email that is edited, which is not saved as a draft. */
  scheduled?: OpenedScheduled & { composition: Composition };
}

type Person = Pick<CurrentUser, 'role' | 'isAdmin'>;

/** Adjusts the email type if the user's role no longer allows it; the content stays. */
function withAllowedType(draft: Draft, { role, isAdmin }: Person): Draft {
  const types = mayTypes(role, isAdmin);
  return types.includes(draft.emailType) ? draft : changeDraft(draft, { emailType: types[0] ?? 'job-post' });
}

/** Opens a new email, or the copy of an email that exists only on this device. */
export function openNew(copy: DraftCopy | null, user: Person): OpenedDraft {
  const start = emptyDraft(mayTypes(user.role, user.isAdmin)[0] ?? 'job-post');
  if (!copy || copy.draftId !== null || !isStarted(copy))
    return { draft: start, stored: null, fromCopy: false, state: { name: 'clean' } };
  const { draftId: _id, version: _version, by: _by, ...draft } = copy;
  return { draft: withAllowedType(draft, user), stored: null, fromCopy: true, state: { name: 'waiting' } };
}

/**
 * Opens a stored draft with the unsaved changes of this device. If both were changed, the draft opens with a conflict.
 */
export function openStored(stored: StoredDraft, copy: DraftCopy | null, user: Person): OpenedDraft {
  const { saved, parts } = stored;
  const isSaved: SaveState = { name: 'saved', at: saved.updatedAt };
  const isOfThis = copy?.draftId === saved.id;
  if (!isOfThis || isSameComposition(copy, parts))
    return { draft: withAllowedType({ ...parts, key: null }, user), stored, fromCopy: false, state: isSaved };
  const { draftId: _id, version, by: _by, ...draft } = copy;
  const state: SaveState =
    version === saved.version
      ? { name: 'waiting' }
      : { name: 'conflict', other: { version: saved.version, updatedAt: saved.updatedAt, device: saved.device } };
  return { draft: withAllowedType(draft, user), stored, fromCopy: true, state };
}

/** Step at which a scheduled email is opened: the message. */
const CONTENT_STEP = 2;

/** Opens a scheduled email for changing it. */
export function openScheduled(stored: ScheduledSendDto): OpenedDraft {
  const { id, version, at, timeZone, later } = stored;
  const composition = draftOfScheduled(stored);
  return {
    draft: { ...composition, step: CONTENT_STEP, key: null },
    stored: null,
    fromCopy: false,
    state: { name: 'clean' },
    scheduled: { id, version, at, timeZone, later, composition },
  };
}
