import { useState } from 'react';
import { storage } from '../../lib/storage';

/** The import last started on this list, until its result is dismissed: it survives a reload. */
export function useRunningImport(listId: string) {
  const key = `import_${listId}`;
  const [job, setJob] = useState(() => storage.read(key, (value) => (typeof value === 'string' ? value : null)));
  return {
    job,
    start: (id: string) => {
      storage.write(key, id);
      setJob(id);
    },
    dismiss: () => {
      storage.remove(key);
      setJob(null);
    },
  };
}
