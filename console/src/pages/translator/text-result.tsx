import { counted } from '../../shared/format/numbers.ts';
import { Badge } from '../../shared/ui/badge.tsx';
import { Row, Soft, Stack } from '../../shared/ui/layout.tsx';
import type { Candidate, Detection, Sentences } from './api.ts';
import { useNames } from './names.ts';
import styles from './playground.module.css';

interface Props {
  readonly text: string;
  readonly detection: Detection;
  readonly sentences: Sentences | undefined;
  readonly showsText: boolean;
}

/** The language of a text with its alternatives, and its sentences. */
export function TextResult({ text, detection, sentences, showsText }: Props) {
  const { alternatives = [], isTranslationSupported, isTransliterationSupported } = detection;
  return (
    <Stack>
      {showsText && <p className={styles.text}>{text}</p>}
      <ul className={styles.candidates} aria-label="Languages with their scores">
        {[detection, ...alternatives].map((candidate, index) => (
          <Score key={candidate.language} candidate={candidate} isFirst={index === 0} />
        ))}
      </ul>
      <Row>
        <Badge tone={isTranslationSupported ? 'success' : 'warning'}>
          {isTranslationSupported ? 'the real service translates it' : 'the real service does not translate it'}
        </Badge>
        <Badge tone={isTransliterationSupported ? 'success' : 'neutral'}>
          {isTransliterationSupported ? 'with transliteration' : 'without transliteration'}
        </Badge>
      </Row>
      {sentences && <SentenceList text={text} sentences={sentences} />}
    </Stack>
  );
}

const WIDTH = 100;

function Score({ candidate, isFirst }: { readonly candidate: Candidate; readonly isFirst: boolean }) {
  const nameOf = useNames();
  const { language, score } = candidate;
  const name = nameOf(language);
  return (
    <li className={styles.candidate}>
      <span>
        {isFirst ? <strong>{name}</strong> : name} <Soft>{language}</Soft>
      </span>
      <svg className={styles.bar} viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" aria-hidden>
        <rect className={styles.rest} width={WIDTH} height="10" />
        <rect className={isFirst ? styles.first : styles.other} width={score * WIDTH} height="10" />
      </svg>
      <span className={styles.score}>{score.toFixed(2)}</span>
    </li>
  );
}

/** Lengths are in UTF-16 units, as JavaScript counts them. */
function SentenceList({ text, sentences: { sentLen } }: { readonly text: string; readonly sentences: Sentences }) {
  let end = 0;
  const parts = sentLen.map((length) => {
    const start = end;
    end += length;
    return { start, length, part: text.slice(start, end) };
  });
  if (parts.length === 0) return null;
  return (
    <div>
      <h3>{counted(parts.length, 'sentence')}</h3>
      <ol className={styles.sentences} aria-label="Sentences">
        {parts.map(({ start, length, part }) => (
          <li key={start}>
            {part.trim()} <Soft>{length}</Soft>
          </li>
        ))}
      </ol>
    </div>
  );
}
