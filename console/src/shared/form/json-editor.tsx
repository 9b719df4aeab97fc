import { useEffect, useRef, useState } from 'react';
import { TextField } from '../ui/field.tsx';

interface Props {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  /** Whether the text is a document at the moment: a form is not sent otherwise. */
  readonly onValid?: (isValid: boolean) => void;
  readonly error?: string | undefined;
  readonly rows?: number;
  readonly description?: string | undefined;
}

const textOf = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));

/** A value as JSON. What is typed is kept as it is, and becomes the value whenever it is valid. */
export function JsonEditor({
  label,
  hideLabel = false,
  value,
  onChange,
  onValid,
  error,
  rows = 4,
  description,
}: Props) {
  const [text, setText] = useState(() => textOf(value));
  const [problem, setProblem] = useState<string>();
  const own = useRef(value);
  useEffect(() => {
    const isSame = textOf(value) === textOf(own.current);
    own.current = value;
    // The same document read again leaves alone what is being typed.
    if (isSame) return;
    setText(textOf(value));
    setProblem(undefined);
  }, [value]);
  const change = (typed: string): void => {
    setText(typed);
    try {
      const read: unknown = typed.trim() === '' ? undefined : JSON.parse(typed);
      own.current = read;
      setProblem(undefined);
      onValid?.(true);
      onChange(read);
    } catch (failed) {
      setProblem(failed instanceof Error ? failed.message : String(failed));
      onValid?.(false);
    }
  };
  return (
    <TextField
      label={label}
      hideLabel={hideLabel}
      value={text}
      onChange={change}
      rows={Math.max(rows, 2)}
      isMono
      error={problem ?? error}
      {...(description !== undefined && { description })}
    />
  );
}
