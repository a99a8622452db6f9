import { useRef, type Ref } from 'react';

/**
 * A field that bots fill in. People neither see it nor reach it by keyboard, and browsers do not fill it in for them.
 */
export function HoneypotField({ inputRef }: { inputRef: Ref<HTMLInputElement> }) {
  return (
    <div aria-hidden="true" style={{ position: 'absolute', left: -9999, width: 1, height: 1, overflow: 'hidden' }}>
      <label>
        Homepage
        <input
          ref={inputRef}
          type="text"
          name="homepage"
          tabIndex={-1}
          autoComplete="off"
          data-1p-ignore
          data-lpignore="true"
          data-bwignore
        />
      </label>
    </div>
  );
}

/** The ref of the honeypot field, and its value for the request. */
export function useHoneypot() {
  const inputRef = useRef<HTMLInputElement>(null);
  const read = () => ({ homepage: inputRef.current?.value || undefined });
  return { inputRef, read };
}
