import { useState } from 'react';
import { AttestationFields } from '../../../shared/attestation-fields';

const MAX_TEXT_LENGTH = 2000;

interface AttestationProps {
  given: string | null;
  /** Called when the field loses the focus; null for an empty text. */
  onChange: (attestation: string | null) => void;
}

/** A field for where and how the people agreed to receive mail. An admin reads it. */
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
      onText={(typed) => setText(typed.slice(0, MAX_TEXT_LENGTH))}
      onBlur={() => onChange(text.trim() || null)}
    />
  );
}
