import { useRef, type Ref } from 'react';

/** A field that people do not see, reach by keyboard or have filled in by the browser; bots fill it in. */
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
