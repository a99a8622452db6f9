import type { Ref } from 'react';

interface FileInputProps {
  /** Ref of the input, for a button that opens the file chooser by `click()`. */
  ref: Ref<HTMLInputElement>;
  label: string;
  /** Value of the attribute `accept`. */
  accept: string;
  /** Whether several files can be chosen at once. */
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
