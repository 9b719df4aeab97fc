import { useMemo, useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy.tsx';
import styles from './json-view.module.css';

interface Props {
  readonly value: unknown;
  readonly label?: string;
}

const LONG = 60_000;
const TOKEN = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/g;

/** The raw document, coloured; a text that is no JSON is shown as it is. */
export function JsonView({ value, label = 'Copy as JSON' }: Props) {
  const text = useMemo(
    () => (typeof value === 'string' ? pretty(value) : (JSON.stringify(value, null, 2) ?? '')),
    [value],
  );
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || text.length <= LONG ? text : text.slice(0, LONG);
  return (
    <div className={styles.frame}>
      <div className={styles.copy}>
        <CopyButton text={text} label={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className={styles.json} tabIndex={0}>
        {text.length <= LONG ? coloured(shown) : shown}
      </pre>
      {shown !== text && (
        <Button onPress={() => setWhole(true)}>Show all {text.length.toLocaleString('en')} characters</Button>
      )}
    </div>
  );
}

function pretty(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function coloured(text: string) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [whole, string, colon, word, number] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    const style =
      string !== undefined
        ? colon === undefined
          ? styles.string
          : styles.name
        : word !== undefined
          ? styles.word
          : styles.number;
    const shown = string ?? word ?? number ?? whole;
    parts.push(
      <span key={match.index} className={style}>
        {shown}
      </span>,
    );
    if (colon !== undefined) parts.push(colon);
    end = match.index + whole.length;
  }
  parts.push(text.slice(end));
  return parts;
}
