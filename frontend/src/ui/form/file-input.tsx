import type { Ref } from 'react';

interface FileInputProps {
  /** A button opens the file chooser by its `click`. */
  ref: Ref<HTMLInputElement>;
  label: string;
  /** As the attribute `accept`. */
  accept: string;
  /** Several files can be chosen at once. */
  multiple?: boolean;
  /** Called for each chosen file. */
  onFile: (file: File) => void;
}

/** A hidden file input. It is emptied after each choice, so that the same file can be chosen again. */
export function FileInput({ ref, label, accept, multiple, onFile }: FileInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      multiple={multiple}
      hidden
      aria-label={label}
      onChange={(event) => {
        const files = [...(event.target.files ?? [])];
        event.target.value = '';
        for (const file of files) onFile(file);
      }}
    />
  );
}
