import { useId, useRef } from 'react';
import { classes } from '../../shared/style/class-names.ts';
import { Button } from '../../shared/ui/button.tsx';
import styles from './query-editor.module.css';

/** Counted from 1; columns count UTF-16 units. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

interface Props {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onRun: () => void;
  readonly place: Place | undefined;
  readonly error: string | undefined;
}

/** The text of a query with numbered lines; a mistake is marked where it is. */
export function QueryEditor({ text, onChange, onRun, place, error }: Props) {
  const input = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const lines = text.split('\n');
  const at = place && offsetOf(lines, place);
  const goThere = (): void => {
    const { current } = input;
    if (!current || at === undefined) return;
    current.focus();
    current.setSelectionRange(at, endOf(text, at));
  };
  return (
    <div>
      <div className={classes(styles.frame, error !== undefined && styles.invalid)}>
        <pre className={styles.numbers} aria-hidden>
          {lines.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the number is the line
            <div key={index} className={classes(place?.line === index + 1 && styles.wrong)}>
              {index + 1}
            </div>
          ))}
        </pre>
        <div className={styles.area}>
          <pre className={styles.behind} aria-hidden>
            {at === undefined ? (
              text
            ) : (
              <>
                {text.slice(0, at)}
                <mark className={styles.mistake}>{text.slice(at, endOf(text, at)) || ' '}</mark>
                {text.slice(endOf(text, at))}
              </>
            )}
            {'\n'}
          </pre>
          <textarea
            ref={input}
            className={styles.input}
            aria-label="Query"
            aria-invalid={error !== undefined}
            {...(error !== undefined && { 'aria-describedby': id })}
            value={text}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="off"
            onChange={(event) => onChange(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              onRun();
            }}
          />
        </div>
      </div>
      {error !== undefined && (
        <div className={styles.error} id={id} role="alert">
          {place && (
            <Button onPress={goThere}>
              Line {place.line}, column {place.column}
            </Button>
          )}
          <span>{error}</span>
        </div>
      )}
    </div>
  );
}

function offsetOf(lines: readonly string[], { line, column }: Place): number {
  const before = lines.slice(0, line - 1).reduce((length, each) => length + each.length + 1, 0);
  return before + column - 1;
}

/** A mistake is a word, or one sign. */
function endOf(text: string, at: number): number {
  const [word = ''] = text.slice(at).match(/^(\w+|'[^'\n]*'|\[[^\]\n]*\]|"[^"\n]*"|.)/) ?? [];
  return at + word.length;
}
