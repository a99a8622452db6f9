import { useLayoutEffect, useRef, useState, type ChangeEvent, type FormEvent } from 'react';

/** Returns the error of a value; undefined if the value is valid. */
type Check = (value: string) => string | undefined;

/** The props of an input that is one of the fields. */
export interface FieldProps {
  name: string;
  value: string;
  error?: string;
  inputRef: (element: HTMLInputElement | null) => void;
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void;
  onBlur: () => void;
}

/**
 * A form of one or two text fields for pages that have to be small. It behaves like the form library: errors appear
 * when a field is left and on submit, disappear when they are corrected, and the first invalid field gets the focus.
 */
export function useFields<Name extends string>(checks: Record<Name, Check>) {
  const names = Object.keys(checks) as Name[];
  const [values, setValues] = useState(
    () => Object.fromEntries(names.map((name) => [name, ''])) as Record<Name, string>,
  );
  const [touched, setTouched] = useState<readonly Name[]>([]);
  const [refusals, setRefusals] = useState<Partial<Record<Name, string>>>({});
  const [pending, setPending] = useState(false);
  const inputs = useRef(new Map<Name, HTMLInputElement>());
  // Keeps what was typed into prerendered HTML before its scripts ran.
  useLayoutEffect(() => {
    const typed = [...inputs.current].map(([name, { value }]) => [name, value] as const).filter(([, value]) => value);
    if (typed.length > 0) setValues((before) => ({ ...before, ...Object.fromEntries(typed) }));
  }, []);
  const errorOf = (name: Name) => checks[name](values[name]);
  const focus = (name: Name | undefined) => name && inputs.current.get(name)?.focus();

  const field = (name: Name): FieldProps => ({
    name,
    value: values[name],
    error: touched.includes(name) ? (errorOf(name) ?? refusals[name]) : undefined,
    inputRef: (element) => void (element ? inputs.current.set(name, element) : inputs.current.delete(name)),
    onChange: ({ target }) => {
      setValues({ ...values, [name]: target.value });
      setRefusals({ ...refusals, [name]: undefined });
    },
    onBlur: () => {
      if (values[name]) setTouched((before) => [...before, name]);
    },
  });
  /** Shows the server's errors under their fields. */
  const refuse = (errors: readonly { field: string; message: string }[]) => {
    const own = errors.filter(({ field: name }) => names.includes(name as Name));
    if (own.length === 0) return;
    setRefusals(
      Object.fromEntries(own.map(({ field: name, message }) => [name, message])) as Partial<Record<Name, string>>,
    );
    focus(own[0]?.field as Name);
  };
  /** The form's onSubmit: calls `run` with valid values. */
  const submit = (run: (values: Record<Name, string>) => Promise<void>) => async (event: FormEvent) => {
    event.preventDefault();
    if (pending) return;
    setTouched(names);
    const wrong = names.find(errorOf);
    if (wrong) return void focus(wrong);
    setPending(true);
    await run(values).finally(() => setPending(false));
  };
  return { field, submit, refuse, pending };
}
