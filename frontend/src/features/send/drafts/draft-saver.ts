import type { SessionState } from '../api';
import { isSameComposition } from '../draft';
import type { DraftParts, Saved, SaveError, SaveState, StoredVersion } from './save-state';

export interface SaverCallbacks {
  create: (parts: DraftParts) => Promise<Saved>;
  save: (id: string, version: number, parts: DraftParts) => Promise<Saved>;
  load: (id: string) => Promise<{ saved: Saved; parts: DraftParts }>;
  /** Classifies an error thrown by `create`, `save` or `load`. */
  saveErrorOf: (error: unknown) => SaveError;
  /** State of the session of the user who wrote the draft. Nothing may be saved into another user's account. */
  sessionState: () => SessionState;
  /** Called when the draft was created on the server. */
  onCreated: (saved: Saved) => void;
  onState: (state: SaveState) => void;
  /** Called when all changes are saved. */
  onSafe: () => void;
}

const DEBOUNCE_MS = 1500;
const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 30_000;
const MAX_UNCONFIRMED = 20;

/**
 * Autosaves a draft: 1.5 s after the last change or on `flush`, one save at a time, retried with backoff. Never
 * overwrites a version that was changed elsewhere. After a conflict nothing is saved until the user has chosen a
 * version.
 */
export class DraftSaver {
  private wanted: DraftParts | null = null;
  /** The parts of the last known stored version; null if they are unknown. */
  private savedParts: DraftParts | null;
  /** Parts whose save on top of the known version failed temporarily. The server may have stored one of them. */
  private unconfirmed: DraftParts[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSaving = false;
  private saving: Promise<void> = Promise.resolve();
  private isHeld = false;
  private isInConflict = false;
  private isStopped = false;
  private isClosed = false;
  private retryMs = FIRST_RETRY_MS;
  private savedAt: string | null = null;

  constructor(
    private readonly callbacks: SaverCallbacks,
    private known: { id: string; version: number } | null,
    parts: DraftParts | null,
  ) {
    this.savedParts = parts;
  }

  get id(): string | null {
    return this.known?.id ?? null;
  }

  get version(): number | null {
    return this.known?.version ?? null;
  }

  /** Whether the user still has to choose between two versions. */
  get isConflicting(): boolean {
    return this.isInConflict;
  }

  /** Whether another version may take the place of this one: not after saving has ended, nor while the draft is sent. */
  get isReplaceable(): boolean {
    return !this.isClosed && !this.isHeld;
  }

  /** Whether there are unsaved changes. */
  get isUnsaved(): boolean {
    return !this.isClosed && (this.isSaving || (this.wanted !== null && !this.isSame(this.wanted)));
  }

  /** Schedules a save of changed parts. @param isStarted whether there is anything worth creating a draft for */
  change(parts: DraftParts, isStarted: boolean): void {
    // No draft is created for an empty email.
    this.wanted = this.known || isStarted || this.isSaving ? parts : null;
    if (this.isStopped || this.wanted === null) return;
    if (this.isSame(parts)) return this.noteReverted();
    if (!this.isSaving) this.callbacks.onState({ name: 'waiting' });
    this.schedule(DEBOUNCE_MS);
  }

  /** Saves unsaved changes at once, without the debounce. */
  async flush(): Promise<void> {
    clearTimeout(this.timer);
    await this.saveIfNeeded();
  }

  /**
   * Starts no further save until `resume`, and waits for a running one, so that the version does not change while the
   * draft is sent.
   * @returns whether the draft may be sent: no choice between two versions is open, and the session of its user has not
   * ended
   */
  async hold(): Promise<boolean> {
    this.isHeld = true;
    clearTimeout(this.timer);
    await this.saving;
    return !this.isInConflict && this.callbacks.sessionState() !== 'ended';
  }

  resume(): void {
    this.isHeld = false;
    if (this.isUnsaved) this.schedule(DEBOUNCE_MS);
  }

  /** Resolves a conflict: overwrites the server's version. Does nothing unless `isReplaceable`. */
  async overwriteServerVersion(other: StoredVersion): Promise<void> {
    if (!this.isReplaceable) return;
    if (this.known) this.known = { ...this.known, version: other.version };
    // The server's parts are unknown now, so the next save must not be skipped as unchanged.
    this.savedParts = null;
    this.clearConflict();
    await this.saveIfNeeded();
  }

  /**
   * Discards the local changes in favour of the server's version, which also resolves a conflict.
   * @returns false unless `isReplaceable`; the local changes then stay
   */
  adoptServerVersion(saved: Saved, parts: DraftParts): boolean {
    if (!this.isReplaceable) return false;
    clearTimeout(this.timer);
    this.known = { id: saved.id, version: saved.version };
    this.savedAt = saved.updatedAt;
    this.savedParts = parts;
    this.wanted = parts;
    this.clearConflict();
    this.callbacks.onSafe();
    this.callbacks.onState({ name: 'saved', at: saved.updatedAt });
    return true;
  }

  /**
   * Another window of this browser saved the draft.
   * @param hasUnreported whether there are changes that `change` has not received yet
   * @returns whether that conflicts with unsaved changes here
   */
  noteSaveElsewhere(other: StoredVersion, hasUnreported = false): boolean {
    if (this.isClosed || !this.known || other.version <= this.known.version) return false;
    if (!this.isUnsaved && !hasUnreported) return false;
    this.stop({ name: 'conflict', other });
    return true;
  }

  /** Changes the save state according to the error of another call on this draft. */
  async applyError(error: unknown): Promise<void> {
    await this.handleFailure(this.callbacks.saveErrorOf(error));
  }

  /** Ends saving for good, after the draft was sent or discarded, or the session of its user ended. */
  close(): void {
    this.isClosed = true;
    this.stop({ name: 'clean' });
  }

  /** Saves the content as a new draft, after the draft was deleted elsewhere. Does nothing unless `isReplaceable`. */
  async recreate(): Promise<void> {
    if (!this.isReplaceable) return;
    this.known = null;
    this.savedParts = null;
    this.clearConflict();
    await this.saveIfNeeded();
  }

  /** Pauses saving until a conflict is resolved, or for good. */
  stop(state?: SaveState): void {
    clearTimeout(this.timer);
    this.isStopped = true;
    this.isInConflict = state?.name === 'conflict';
    if (state) this.callbacks.onState(state);
  }

  /** A change was reverted, so there is nothing to save. */
  private noteReverted(): void {
    if (this.isSaving || !this.savedAt) return;
    clearTimeout(this.timer);
    this.callbacks.onSafe();
    this.callbacks.onState({ name: 'saved', at: this.savedAt });
  }

  private schedule(ms: number): void {
    clearTimeout(this.timer);
    if (this.isHeld) return;
    this.timer = setTimeout(() => void this.saveIfNeeded(), ms);
  }

  private isSame(parts: DraftParts): boolean {
    return this.savedParts !== null && this.savedParts.step === parts.step && isSameComposition(this.savedParts, parts);
  }

  private clearConflict(): void {
    this.isStopped = false;
    this.isInConflict = false;
    this.unconfirmed = [];
  }

  private async saveIfNeeded(): Promise<void> {
    const parts = this.wanted;
    if (this.isClosed || this.isSaving || this.isStopped || this.isHeld || !parts || this.isSame(parts)) return;
    const session = this.callbacks.sessionState();
    if (session === 'ended') return this.close();
    if (session === 'lapsed') return this.retryIn(FIRST_RETRY_MS);
    this.saving = this.run(parts);
    await this.saving;
  }

  private async run(parts: DraftParts): Promise<void> {
    this.isSaving = true;
    this.callbacks.onState({ name: 'saving' });
    const { known } = this;
    try {
      const saved = known
        ? await this.callbacks.save(known.id, known.version, parts)
        : await this.callbacks.create(parts);
      this.noteStored(saved, parts);
      this.isSaving = false;
      if (!known) this.callbacks.onCreated(saved);
      this.noteSaved(saved);
    } catch (error) {
      const fault = this.callbacks.saveErrorOf(error);
      if (known && fault.kind === 'passing') this.noteUnconfirmed(parts);
      await this.handleFailure(fault);
      this.isSaving = false;
    }
  }

  /**
   * Keeps only the saves that were most likely stored: the one during which the connection broke, and those after the
   * connection came back.
   */
  private noteUnconfirmed(parts: DraftParts): void {
    if (this.unconfirmed.includes(parts)) return;
    if (this.unconfirmed.length === MAX_UNCONFIRMED) this.unconfirmed.splice(1, 1);
    this.unconfirmed.push(parts);
  }

  /**
   * Handles that the server has another version. This is no conflict if a save of this saver produced that version and
   * only the answer was lost.
   */
  private async handleVersionConflict(known: { id: string }, other: StoredVersion): Promise<void> {
    const { saved, parts } = await this.callbacks.load(known.id);
    if (this.isStopped) return;
    if (!this.unconfirmed.some((own) => isSameComposition(own, parts))) return this.stop({ name: 'conflict', other });
    this.noteStored(saved, parts);
    this.noteSaved(saved);
  }

  /** Remembers that the server has these parts. */
  private noteStored(saved: Saved, parts: DraftParts): void {
    this.known = { id: saved.id, version: saved.version };
    this.savedParts = parts;
    this.unconfirmed = [];
    this.retryMs = FIRST_RETRY_MS;
  }

  private noteSaved(saved: Saved): void {
    this.savedAt = saved.updatedAt;
    if (this.isStopped) return;
    if (this.wanted && !this.isSame(this.wanted)) {
      this.callbacks.onState({ name: 'waiting' });
      return this.schedule(DEBOUNCE_MS);
    }
    this.callbacks.onSafe();
    this.callbacks.onState({ name: 'saved', at: saved.updatedAt });
  }

  private async handleFailure(fault: SaveError): Promise<void> {
    if (this.isStopped) return;
    if (fault.kind === 'changed') {
      if (!this.known || this.unconfirmed.length === 0) return this.stop({ name: 'conflict', other: fault.other });
      return this.handleVersionConflict(this.known, fault.other).catch((error: unknown) =>
        this.handleFailure(this.callbacks.saveErrorOf(error)),
      );
    }
    if (fault.kind === 'sent') return this.stop({ name: 'sent', sendId: fault.sendId, at: fault.at });
    if (fault.kind === 'scheduled') return this.stop({ name: 'scheduled' });
    if (fault.kind === 'deleted') return this.stop({ name: 'deleted' });
    if (fault.kind === 'refused') return this.callbacks.onState({ name: 'refused', why: fault.why });
    // The answer may be the one that ended the session. A retry after the next sign-in would save the email once more.
    if (this.callbacks.sessionState() === 'ended') return this.close();
    this.retryIn(Math.max((fault.waitSeconds ?? 0) * 1000, this.retryMs));
    this.retryMs = Math.min(this.retryMs * 2, MAX_RETRY_MS);
  }

  private retryIn(ms: number): void {
    this.callbacks.onState({ name: 'failed' });
    this.schedule(ms);
  }
}
