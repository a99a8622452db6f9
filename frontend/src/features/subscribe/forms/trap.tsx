import { useRef, type Ref } from 'react';

/** What the honeypot holds; programs give themselves away. */
export interface Filled {
  homepage?: string;
}

/** A honeypot: a field that no person sees, reaches by keyboard or has filled in by the browser. */
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

/** The honeypot's field, and what it holds when the form is sent. */
export function useTrap() {
  const inputRef = useRef<HTMLInputElement>(null);
  const read = (): Filled => ({ homepage: inputRef.current?.value || undefined });
  return { inputRef, read };
}
