import { useRef, useState, type Ref } from 'react';

/** How a form was filled in; programs give themselves away. */
export interface Filled {
  homepage?: string;
  filledInMs: number;
}

/** A field that no person sees, reaches by keyboard or has filled in by the browser. */
export function TrapField({ inputRef }: { inputRef: Ref<HTMLInputElement> }) {
  return (
    <div aria-hidden="true" style={{ position: 'absolute', left: -9999, width: 1, height: 1, overflow: 'hidden' }}>
      <label>
        Homepage
        <input ref={inputRef} type="text" name="homepage" tabIndex={-1} autoComplete="off" data-1p-ignore data-lpignore="true" data-bwignore />
      </label>
    </div>
  );
}

/** The trap's field, and what it and the clock say when the form is sent. */
export function useTrap() {
  const inputRef = useRef<HTMLInputElement>(null);
  const [shownAt] = useState(() => performance.now());
  const read = (): Filled => ({ homepage: inputRef.current?.value || undefined, filledInMs: Math.round(performance.now() - shownAt) });
  return { inputRef, read };
}
