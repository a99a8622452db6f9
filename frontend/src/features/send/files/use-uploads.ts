import { useEffect, useRef, useState } from 'react';
import { errorMessage } from '../../../api/api-error';
import { randomUuid } from '../../../lib/browser';
import { MAX_FILES, refusalOf, useUploadDocument } from '../../../shared/files/documents';
import { isStopped } from '../../../shared/files/upload-document';
import type { DraftState } from '../use-draft';
import { filesOf, linkTo, withOtherFile, type ChosenFile } from './chosen-files';
import { fileMessages } from './messages';

/** An upload that is running or was refused. */
export interface Upload {
  id: string;
  file: File;
  /** Number of bytes sent. */
  sent: number;
  /** Why the upload was refused; null while it is running. */
  error: string | null;
  /** The file of the email that the upload replaces; null if it adds one. */
  replaced: ChosenFile | null;
}

interface Addition {
  /** Maximum size of one file in bytes; undefined while it is unknown. */
  maxFileBytes: number | undefined;
  replaced?: ChosenFile | null;
}

/** Uploads of documents for the email. They continue while another step is shown, and stop when the screen is left. */
export function useUploads(state: DraftState) {
  const [uploads, setUploads] = useState<Upload[]>([]);
  const [announcement, announce] = useState('');
  const [running] = useState(() => new Map<string, AbortController>());
  const upload = useUploadDocument();
  const runningAdditions = useRef(0);
  useEffect(() => () => running.forEach((controller) => controller.abort()), [running]);

  const set = (id: string, change: Partial<Upload>) =>
    setUploads((now) => now.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const remove = (id: string) => setUploads((now) => now.filter((one) => one.id !== id));

  const run = async ({ id, file, replaced }: Upload) => {
    const controller = new AbortController();
    running.set(id, controller);
    announce(`Uploading ${file.name}, 0 percent`);
    let isHalfAnnounced = false;
    const onProgress = (sent: number) => {
      set(id, { sent });
      if (isHalfAnnounced || sent < file.size / 2 || sent >= file.size) return;
      isHalfAnnounced = true;
      announce(`Uploading ${file.name}, 50 percent`);
    };
    try {
      const stored = await upload(file, { onProgress, signal: controller.signal });
      const files = filesOf(state.current());
      if (files.some(({ fileId }) => fileId === stored.id)) return set(id, { error: fileMessages.twice });
      // Other files may have been chosen from the Library meanwhile, so the limit is checked again.
      if (!replaced && files.length >= MAX_FILES) return set(id, { error: fileMessages.tooMany });
      if (replaced) state.update((now) => withOtherFile(now, replaced, stored.id), true);
      else state.update(({ files = [] }) => ({ files: [...files, linkTo(stored.id)] }));
      remove(id);
      announce(`${file.name}, 100 percent, is uploaded`);
    } catch (error) {
      if (isStopped(error)) return remove(id);
      const why = errorMessage(error, fileMessages.uploadFailed);
      set(id, { error: why });
      announce(`${file.name}: ${why}`);
    } finally {
      running.delete(id);
      if (!replaced) runningAdditions.current -= 1;
    }
  };

  return {
    uploads,
    /** Progress of the uploads, for screen readers. */
    announcement,
    /** Names of the files that are being uploaded. */
    pending: uploads.filter(({ error }) => error === null).map(({ file }) => file.name),
    add: (file: File, { maxFileBytes, replaced = null }: Addition) => {
      const isTooMany = !replaced && filesOf(state.current()).length + runningAdditions.current >= MAX_FILES;
      const error = isTooMany ? fileMessages.tooMany : refusalOf(file, maxFileBytes);
      const added: Upload = { id: randomUuid(), file, sent: 0, error, replaced };
      setUploads((now) => [...now, added]);
      if (error) return announce(`${file.name}: ${error}`);
      if (!replaced) runningAdditions.current += 1;
      void run(added);
    },
    /** Stops an upload, or removes one that was refused. */
    remove: (id: string) => {
      running.get(id)?.abort();
      remove(id);
    },
  };
}

export type Uploads = ReturnType<typeof useUploads>;
