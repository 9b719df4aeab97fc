import { FastForward } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useAddressParam } from '../../shared/address.ts';
import { control, dataOf } from '../../shared/api/control.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { useData } from '../../shared/api/use-data.ts';
import { useNow } from '../../shared/format/now.tsx';
import { useFrame } from '../../shared/live/live.tsx';
import { useMayChange } from '../../shared/session.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Choice } from '../../shared/ui/choice.tsx';
import { TextField } from '../../shared/ui/field.tsx';
import { Row, Section } from '../../shared/ui/layout.tsx';
import { CodeBlock, Notice } from '../../shared/ui/notice.tsx';
import { NEXT, TARGET_PARAM } from './addresses.ts';
import { Fired, useFired } from './fired.tsx';
import { Preview } from './preview.tsx';
import styles from './sections.module.css';
import { mayMove, type Target, targetOf } from './target.ts';

const SPANS = [
  { value: NEXT, label: 'Next due' },
  { value: '1m', label: '1 minute' },
  { value: '1h', label: '1 hour' },
  { value: '1d', label: '1 day' },
  { value: '7d', label: '1 week' },
  { value: '30d', label: '30 days' },
] as const;

/** Moves the clock: first what will run, afterwards what ran. */
export function Advance() {
  const clock = useNow();
  const frame = useFrame();
  const mayChange = useMayChange();
  const [chosen, choose] = useAddressParam(TARGET_PARAM);
  const { fired, setFired } = useFired();
  const target = targetOf(chosen, frame?.nextDue);
  const isMovable = mayMove(clock);
  const preview = useData(
    ['clock', 'preview', target],
    (signal) => dataOf(control.GET('/_jar/clock/preview', { params: { query: target ?? {} }, signal })),
    { on: ['work', 'clock'], enabled: target !== undefined && isMovable, keepPrevious: true },
  );
  const advance = useAction(
    async (to: Target) => {
      const from = frame?.now ?? '';
      return { from, ...(await dataOf(control.POST('/_jar/clock/advance', { body: to }))) };
    },
    { inline: true, after: setFired },
  );
  if (frame && !isMovable) return <SystemClock />;
  const failure = advance.failure ?? preview.failure;
  const isNothingNext = chosen === NEXT && frame?.nextDue === null;
  return (
    <Section title="Advance the clock">
      <div className={styles.fields}>
        <Row align="end">
          <Choice
            label="How far"
            value={SPANS.find(({ value }) => value === chosen)?.value}
            choices={SPANS}
            onChange={choose}
          />
          <OtherTarget chosen={chosen} choose={choose} />
          {mayChange && (
            <Button
              look="main"
              isDisabled={target === undefined || advance.isRunning || preview.failure !== undefined}
              onPress={() => target && void advance.run(target)}
            >
              <FastForward size={14} aria-hidden /> {advance.isRunning ? 'Advancing…' : 'Advance'}
            </Button>
          )}
        </Row>
        {isNothingNext && <Notice title="No work is scheduled, so there is no next due time." />}
        {failure && target !== undefined && (
          <Notice tone="failure" title={failure.message}>
            Durations are written as <code>36h</code>, <code>1h30m</code> or <code>PT36H</code>, times as{' '}
            <code>2026-01-31T09:00:00Z</code>.
          </Notice>
        )}
        {target !== undefined && preview.data && !preview.failure && (
          <Preview preview={preview.data} isStale={preview.isStale} />
        )}
        {fired && <Fired fired={fired} dismiss={() => setFired(undefined)} />}
      </div>
    </Section>
  );
}

interface OtherProps {
  readonly chosen: string | undefined;
  readonly choose: (value: string | undefined) => void;
}

const TYPING_MS = 400;

/** A duration or a time of one's own. */
function OtherTarget({ chosen, choose }: OtherProps) {
  const other = SPANS.some(({ value }) => value === chosen) ? '' : (chosen ?? '');
  const [text, setText] = useState(other);
  useEffect(() => setText(other), [other]);
  useEffect(() => {
    if (text === other || text.trim() === '') return undefined;
    const timer = setTimeout(() => choose(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, other, choose]);
  return (
    <div className={styles.target}>
      <TextField
        label="Or a duration or time"
        hideLabel
        value={text}
        onChange={setText}
        placeholder="36h or 2026-01-31T09:00:00Z"
        isMono
        onEnter={() => choose(text)}
      />
    </div>
  );
}

function SystemClock() {
  return (
    <Notice title="The clock of this jar follows the system's, so that nobody moves the time of all.">
      To move the time, start a jar with a clock of its own:
      <CodeBlock text="npx cloudjar start --clock shifted" label="Copy the command" />
    </Notice>
  );
}
