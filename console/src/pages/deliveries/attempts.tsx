import { counted, milliseconds } from '../../shared/format/numbers.ts';
import { Time } from '../../shared/format/time.tsx';
import { StateBadge, StatusBadge } from '../../shared/ui/badge.tsx';
import { JsonView } from '../../shared/ui/json-view.tsx';
import { Facts, Stack } from '../../shared/ui/layout.tsx';
import styles from './attempts.module.css';
import type { DeliveryDocument } from './detail.tsx';

interface Props {
  readonly history: DeliveryDocument['history'];
  readonly total: number;
}

/** Every attempt, the newest first, with the answer and the rule that decided what came next. */
export function Attempts({ history, total }: Props) {
  if (history.length === 0) return <p>There was no attempt yet.</p>;
  const left = total - history.length;
  return (
    <Stack>
      {left > 0 && <p>{counted(left, 'attempt')} between the first and the last ones are not kept.</p>}
      <ol className={styles.attempts} reversed>
        {history.toReversed().map((attempt) => (
          <li key={attempt.number} className={styles.attempt}>
            <header className={styles.head}>
              <strong>Attempt {attempt.number}</strong>
              <StatusBadge status={attempt.status} />
              <StateBadge state={attempt.outcome} />
              <Time at={attempt.at} />
              <span>{milliseconds(attempt.ms)}</span>
            </header>
            <Facts
              facts={[
                { label: 'Error', value: attempt.error },
                { label: 'Rule', value: attempt.rule },
                { label: 'Fault rule', value: attempt.fault },
                attempt.nextAt !== undefined && { label: 'Next attempt', value: <Time at={attempt.nextAt} /> },
              ]}
            />
            {attempt.response !== undefined && attempt.response !== '' && (
              <JsonView value={attempt.response} label="Copy the answer" />
            )}
          </li>
        ))}
      </ol>
    </Stack>
  );
}
