import { useState } from 'react';
import { AttestationFields } from '../../../shared/attestation-fields';

const LONGEST = 2000;

interface AttestationProps {
  given: string | null;
  /** Called when the text is left, with null where there is none. */
  onChange: (attestation: string | null) => void;
}

/** Where and how the people agreed already; an admin reads it. */
export function Attestation({ given, onChange }: AttestationProps) {
  const [isAttested, setAttested] = useState(given !== null);
  const [text, setText] = useState(given ?? '');
  return (
    <AttestationFields
      isAttested={isAttested}
      onAttest={(checked) => {
        setAttested(checked);
        onChange((checked && text.trim()) || null);
      }}
      text={text}
      onText={(typed) => setText(typed.slice(0, LONGEST))}
      onBlur={() => onChange(text.trim() || null)}
    />
  );
}
