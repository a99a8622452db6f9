import type { Ref } from 'react';

interface FileInputProps {
  /** A button opens the file chooser by its `click`. */
  ref: Ref<HTMLInputElement>;
  label: string;
  /** Value of the attribute `accept`. */
  accept: string;
  onFile: (file: File) => void;
}

/** A hidden file input. It is emptied after each choice, so that the same file can be chosen again. */
export function FileInput({ ref, label, accept, onFile }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      hidden
      aria-label={label}
      onChange={(event) => {
        const file = event.target.files?.[0];
        event.target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}
